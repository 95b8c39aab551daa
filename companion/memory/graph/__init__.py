"""The graph layer of memory: entities, and facts between them."""

from companion.memory.graph.bring_in import Imported
from companion.memory.graph.candidates import Candidate, Verdict
from companion.memory.graph.export import Form
from companion.memory.graph.graph import Graph
from companion.memory.graph.similarity import Alike

__all__ = ["Alike", "Candidate", "Form", "Graph", "Imported", "Verdict"]
