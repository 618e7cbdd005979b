"""A batch that counts whole grid steps from where its prefix ends."""


class Batch:
    def snapshot_depth(self, req):
        """Return the token whose state is kept after this pass, if any is."""
        grid = self.cache.snapshot_grid
        if req.extend_len < grid:
            return None
        return req.prefix_len + req.extend_len // grid * grid
