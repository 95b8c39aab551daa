"""Three layers of memory: context, documents, graph."""
