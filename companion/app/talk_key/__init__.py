"""A key that opens the ears wherever one is on the desktop, by the way the desktop has for it."""
