"""One hand of Pineapple. Pure: it knows no clock, no dice, no disk and no network."""
