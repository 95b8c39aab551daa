"""Three layers of memory: context, documents, graph. Empty until the agent has one."""
