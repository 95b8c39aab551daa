"""Distilling: what the user's own words tell that is worth knowing, as triples; by patterns at once, and by a model."""

from companion.memory.distil.distil import distil, read
from companion.memory.distil.told import Distilled, Forget

__all__ = ["Distilled", "Forget", "distil", "read"]
