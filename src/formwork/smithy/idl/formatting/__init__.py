"""How the formatter reads a file and lays it out."""
