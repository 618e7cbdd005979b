"""A scheduler that forces a chunk to the next token where a snapshot is taken."""


def forced_chunk(request, unit):
    """Return the tokens of a chunk that has to end where a snapshot is taken."""
    points = [request.first_point, request.second_point, request.third_point]
    if max(points) == 0:
        return min(unit, request.prompt_len - request.position)
    nearest = min(
        (point for point in points if point > request.position), default=request.prompt_len
    )
    return min(nearest, request.prompt_len) - request.position
