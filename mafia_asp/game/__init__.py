"""A whole game: its file, what follows from what was told phase by phase, and how it grows."""
