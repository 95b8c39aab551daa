"""Where the requests of the window, and of a second process, are carried out: a desk for each kind of work."""
