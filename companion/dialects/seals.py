"""What only one protocol can read, with its name on it.

Signatures and hidden thoughts go back as they came, but only to the protocol they came by: another provider refuses
the whole conversation over one it does not know, and a conversation may go on with another.
"""

from __future__ import annotations

from typing import NamedTuple


class Sealed(NamedTuple):
    """kind: what it is, in one word. data: as it came."""

    kind: str
    data: str


def seal(dialect: str, kind: str, data: str) -> str:
    """The data as a message keeps it."""
    return f"{dialect} {kind} {data}"


def unseal(dialect: str, text: str) -> Sealed | None:
    """What was sealed for ``dialect``; None where it is another's, or nobody's."""
    owner, _, rest = text.partition(" ")
    kind, space, data = rest.partition(" ")
    return Sealed(kind, data) if space and owner == dialect else None
