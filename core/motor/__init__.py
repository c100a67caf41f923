"""Motor controllers: what turns a command into muscle rest lengths and fin forces (Tu 1999, §4.6)."""
