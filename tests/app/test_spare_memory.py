"""What was let go of goes back to the system."""

from __future__ import annotations

import psutil

from companion.app.spare_memory import give_back

BLOCK = 64 * 1024
"""Bytes: small enough for the allocator to keep them."""


def test_blocks_between_others_go_back() -> None:
    process = psutil.Process()
    blocks = [bytearray(b"x" * BLOCK) for _ in range(2000)]
    before = process.memory_info().rss
    kept = blocks[::20]
    blocks.clear()
    give_back()

    assert before - process.memory_info().rss > 0.7 * 2000 * BLOCK
    assert len(kept) == 100
