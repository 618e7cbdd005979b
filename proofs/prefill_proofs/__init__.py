"""Why it holds: symbolic terms, encodings, source readers and the prover."""
