"""Whether a call that failed has to be paid for."""

from __future__ import annotations

from companion.errors import (
    BadInput,
    MissingKey,
    NobodyAnswered,
    NotRegistered,
    OverBudget,
    ProviderFailed,
    Refused,
    SetupError,
    StorageError,
    Throttled,
    Unreachable,
    Unsupported,
)

_UNSENT = (BadInput, SetupError, StorageError, Unsupported, MissingKey, OverBudget, NotRegistered)
"""Raised before anything leaves."""
_BETWEEN = (502, 504)
"""Status of a gateway that lost the provider behind it, which may have done its work (RFC 9110, 15.6)."""


def is_owed(error: BaseException) -> bool:
    """Whether the provider may have done what it was asked for, though it ended with ``error``.

    It has not where nothing was sent to it, or where it said itself that it does not serve this.
    """
    match error:
        case NobodyAnswered(failures=failures):
            return any(is_owed(one) for _, one in failures)
        case Unreachable():
            return error.was_sent
        case ProviderFailed(status=status):
            return not status or status in _BETWEEN
        case _:
            return not isinstance(error, (*_UNSENT, Refused, Throttled))
