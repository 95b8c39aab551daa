"""Measures the companion: speed, hearing, waking, turn taking, idling, and what a kill costs.

Each file measures one thing and returns figures with their spread; ``run`` picks and prints them.
"""
