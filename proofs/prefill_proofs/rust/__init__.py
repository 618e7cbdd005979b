"""Reading Rust source into the planner language."""
