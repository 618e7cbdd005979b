"""An engine that cuts a prompt at the last block boundary that its budget reaches."""


def chunk_length(request, budget, block_size, skipped):
    """Return how many tokens of a prompt are computed; ``skipped`` of them come from the cache."""
    length = min(request.remaining_tokens, budget)
    if length >= request.remaining_tokens:
        return length
    end = request.finished_tokens + length
    aligned = end // block_size * block_size - request.finished_tokens
    return aligned if aligned > skipped else length
