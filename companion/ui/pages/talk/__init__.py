"""The talk page."""
