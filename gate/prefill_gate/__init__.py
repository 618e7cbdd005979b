"""Who asks: the command line, its configuration and its reports."""

__version__ = "0.1.0"
