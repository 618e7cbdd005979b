"""Errors that are the user's to mend."""


class UsageError(Exception):
    """Bad usage: what is wrong and what to do, in one line."""
