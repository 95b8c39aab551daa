"""Understands text: the rule matcher now; segmentor, profiler and labeler to come."""
