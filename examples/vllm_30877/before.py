"""A scheduler that takes whatever is left of its budget."""


class Scheduler:
    def chunk_tokens(self, request, num_new_tokens):
        """Return how many tokens of the prompt are computed in this step."""
        return num_new_tokens
