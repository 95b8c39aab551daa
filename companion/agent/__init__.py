"""Decides what to answer: talents and the model behind one contract."""
