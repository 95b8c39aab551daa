"""What providers have cost."""

from __future__ import annotations

from companion.app.paths import Paths
from companion.compose.ledger import Spent, spent_in


def costs(paths: Paths) -> Spent:
    """What was spent.

    Raises:
        StorageError: it cannot be read.
    """
    return spent_in(paths.spent)
