"""Side by side with what people would use instead: ``python -m bench`` measures, and writes it."""
