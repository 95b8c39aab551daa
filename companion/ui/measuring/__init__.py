"""What the window costs, measured in a process of its own that ``companion bench ui`` starts."""
