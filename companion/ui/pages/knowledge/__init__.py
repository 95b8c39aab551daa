"""The knowledge page."""
