"""A batch builder that fills the end of a batch with whatever fits."""


class BatchBuilder:
    def chunk_tokens(self, seq, tokens_left, batch_has_work):
        """Return how many tokens of a sequence join the batch."""
        rest = seq.num_tokens - seq.num_computed
        chunk = min(rest, tokens_left)
        if chunk == rest:
            return chunk
        whole = chunk // self.block_size * self.block_size
        return whole if whole > 0 else chunk
