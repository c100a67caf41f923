"""From the traits of a species to the numbers that it leaves out."""
