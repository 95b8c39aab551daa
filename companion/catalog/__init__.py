"""Which models there are, where their files come from, and the shelf that holds them.

``manifest`` says what a model is made of, ``pull`` brings it, ``shelf`` keeps it and refuses what is
not whole, ``choose`` tells which one fits. Sources are ``wheel``, ``hub`` and ``stick``.
"""
