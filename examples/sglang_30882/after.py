"""A batch that keeps the state of the last whole chunk before the end of the prompt."""


def snapshot_depth(req, chunk_size):
    """Return the token whose state is kept after this pass, if any is."""
    if req.extend_len < chunk_size:
        return None
    depth = req.prefix_len + req.extend_len // chunk_size * chunk_size
    if depth == req.prompt_len:
        depth -= chunk_size
    return depth
