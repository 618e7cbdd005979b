"""A scheduler that takes what the budget allows."""


def next_chunk(request, budget, page_size):
    """Return how many tokens of a request are scheduled."""
    return min(request.unscheduled_tokens, budget)
