"""A scheduler that takes the rest of a request in one piece."""


def next_chunk(request, budget, page_size):
    """Return how many tokens of a request are scheduled; 0 waits for a larger budget."""
    chunk = min(request.unscheduled_tokens, budget)
    if request.promotion_token > request.first_token:
        chunk = min(chunk, request.promotion_token - request.first_token)
    if chunk == request.unscheduled_tokens:
        return chunk
    if (inside := request.first_token % page_size) > 0:
        missing = page_size - inside
        return missing if budget >= missing else 0
    return chunk // page_size * page_size
