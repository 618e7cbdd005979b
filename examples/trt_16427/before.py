"""A scheduler that forces a chunk of one unit, counted from where the request stands."""


def forced_chunk(request, unit):
    """Return the tokens of a chunk that has to end where a snapshot is taken."""
    return min(unit, request.prompt_len - request.position)
