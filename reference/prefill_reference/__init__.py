"""How a prefill planner works: the planner in plain Python, and the world around it."""
