"""The six pages of the window, each in a folder of its own."""
