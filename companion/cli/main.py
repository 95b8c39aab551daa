"""The command line, as a person types it."""

from __future__ import annotations


def main() -> None:
    """Run one command."""
