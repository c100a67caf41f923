"""Fitting: a species whose fishes move as tracked ones do, judged by tracks that the fit has not seen."""
