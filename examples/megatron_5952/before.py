"""An engine that cuts a prompt where its budget ends."""


def chunk_length(request, budget, block_size, skipped):
    """Return how many tokens of a prompt are computed; ``skipped`` of them come from the cache."""
    return min(request.remaining_tokens, budget)
