"""The user's settings: what they are, where they are kept, and their secrets."""
