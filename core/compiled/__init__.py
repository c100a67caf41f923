"""The compiled library: where it is and how it is loaded. It knows no fish.

Beside it stand the C sources that know none either: exact arithmetic, elementary functions, sums, throws of dice, who
is near whom, and how threads share out rows. Every other C file stands beside the Python whose compiled form it is.
"""
