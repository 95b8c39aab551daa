"""The command line."""

import companion.app.born  # noqa: F401 - it notes when this process began
