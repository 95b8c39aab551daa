"""The tray and the window. The only room that knows Qt. Empty for now."""
