"""Understands text: rules with and without a model (``match``, ``model_match``), segmentor, profiler and labeler."""
