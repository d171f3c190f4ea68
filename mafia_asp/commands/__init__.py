"""The commands, one module each; ``command`` is the click command. See ``mafia_asp.cli``."""
