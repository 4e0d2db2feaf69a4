"""Many hands among seats. Pure: deck, time and chance are arguments."""
