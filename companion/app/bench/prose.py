"""Hours of plain English to be spoken: the prose of Python's own manual, which comes with every Python."""

from __future__ import annotations

import re
from collections.abc import Iterator

_LONGEST = 220
"""Characters of a sentence; longer ones are mostly code."""
_SENTENCE = re.compile(r"[A-Z][^.?!]{30,}[.?!](?=\s)")
_STRANGE = re.compile(r"[^A-Za-z0-9 ,.;:'\"()?!-]")


def sentences() -> Iterator[str]:
    """Plain sentences, each once, always in the same order."""
    from pydoc_data.topics import topics

    seen: set[str] = set()
    for name in sorted(topics):
        for paragraph in topics[name].split("\n\n"):
            if paragraph.startswith(("   ", "\t", ">>>")):
                continue
            text = " ".join(re.sub(r"[*\"`|]|::", " ", paragraph).split())
            for found in _SENTENCE.findall(text + " "):
                if len(found) <= _LONGEST and not _STRANGE.search(found) and found not in seen:
                    seen.add(found)
                    yield found
