"""``companion devices``: microphones and loudspeakers, and which of them are used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cli import house, show
from companion.cli.options import AsJson

if TYPE_CHECKING:
    from companion.app.devices import Listed


def devices(as_json: AsJson = False) -> None:
    """Show microphones and loudspeakers. Choose with `companion settings set sound.microphone NAME`."""
    from dataclasses import asdict

    from companion.app.devices import all_devices

    listed = all_devices(house.opened().settings.sound)
    if as_json:
        show.document([asdict(device) for device in listed])
        return
    for kind in ("microphone", "loudspeaker"):
        show.line(f"{kind}s")
        for device in listed:
            if device.kind == kind:
                _tell(device)


def _tell(device: Listed) -> None:
    mark = show.painted("*", "good") if device.is_used else " "
    default = ", the system's default" if device.is_default else ""
    show.line(f"  {mark} {device.name}  ({device.host}, {device.rate} Hz{default})")
