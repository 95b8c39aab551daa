"""Commands as a user types them, each in a process of its own."""

from __future__ import annotations

import asyncio
import os
import sys
from dataclasses import dataclass
from pathlib import Path

PATIENCE = 60.0


@dataclass(frozen=True, slots=True)
class Done:
    """A command that has ended."""

    status: int
    output: str
    errors: str

    @property
    def complaint(self) -> str:
        """Its only line of error."""
        assert "Traceback" not in self.output + self.errors
        lines = self.errors.splitlines()
        assert len(lines) == 1, f"not one line: {self.errors!r}"
        assert lines[0].startswith("companion: ")
        return lines[0]


async def typed(home: Path, *arguments: str | Path, patience: float = PATIENCE) -> Done:
    """Type ``companion ARGUMENTS``, in the home's parent folder."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "companion", *map(str, arguments)),
        env={**os.environ, "COMPANION_HOME": str(home), "NO_COLOR": "1"},
        cwd=home.parent,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(patience):
            output, errors = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode is not None
    return Done(process.returncode, output.decode(), errors.decode())
