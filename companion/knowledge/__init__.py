"""Folders of the user's own notes and documents, made searchable. Empty for now."""
