"""A batch that keeps the state of the last whole chunk that it computed."""


def snapshot_depth(req, chunk_size):
    """Return the token whose state is kept after this pass, if any is."""
    if req.extend_len < chunk_size:
        return None
    return req.prefix_len + req.extend_len // chunk_size * chunk_size
