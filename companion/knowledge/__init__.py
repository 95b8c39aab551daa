"""The user's own notes and documents, made searchable: files in, passages with their places out.

``KnowledgeBase`` is the door. Behind it: ``scan`` walks the folders, ``readers`` take the text out of files in a
process of their own, ``split`` cuts it into passages, ``index`` keeps them in SQLite, ``retrieve`` finds them,
``watch`` keeps all that in step with the files, and ``render`` marks what was found as data.
"""

from companion.knowledge.ingest import Progress, Refreshed
from companion.knowledge.knowledge_base import KnowledgeBase, Named, Piece, Problem
from companion.knowledge.limits import Limits
from companion.knowledge.render import cite, render
from companion.knowledge.retrieve import Hit
from companion.knowledge.watch import Pace

__all__ = [
    "Hit",
    "KnowledgeBase",
    "Limits",
    "Named",
    "Pace",
    "Piece",
    "Problem",
    "Progress",
    "Refreshed",
    "cite",
    "render",
]
