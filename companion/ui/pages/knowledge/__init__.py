"""The knowledge page: the user's folders and notes, how far they are indexed, and a search to try."""
