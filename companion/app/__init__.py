"""The only room that builds things: settings in, a running companion out."""
