"""When this process began, near enough: imported first by whatever starts it."""

import time

BORN = time.monotonic()
"""Monotonic seconds."""
