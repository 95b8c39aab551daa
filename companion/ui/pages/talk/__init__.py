"""The talk page: the conversation as it goes on, and all that was said before."""
