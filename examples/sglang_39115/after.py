"""A batch that counts whole grid steps from the start of the prompt."""


class Batch:
    def snapshot_depth(self, req):
        """Return the token whose state is kept after this pass, if any is."""
        computed = req.prefix_len + req.extend_len
        depth = computed - computed % self.cache.snapshot_grid
        if depth <= req.prefix_len:
            return None
        is_chunk_end = (depth - req.prefix_len) % self.chunk_size == 0
        return depth if is_chunk_end else None
