"""One reader for each kind of file; they run in a process of their own, since any file may mean harm."""

from companion.knowledge.readers.kinds import PACKED, kind_of, read

__all__ = ["PACKED", "kind_of", "read"]
