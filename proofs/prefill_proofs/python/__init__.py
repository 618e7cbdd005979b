"""Reading planners from Python source into the planner language."""
