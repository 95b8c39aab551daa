"""Keys pressed together, as a person writes them, and as the portal and pynput want to have them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from companion.errors import BadInput

MODIFIERS = ("ctrl", "alt", "shift", "super")
"""In the order they are written."""
_SAME = {"control": "ctrl", "meta": "super", "win": "super", "cmd": "super", "option": "alt"}
_NAMED = ("space", "tab", "pause", "insert", "home", "end", "menu", *(f"f{number}" for number in range(1, 25)))
_PORTAL = {"ctrl": "CTRL", "alt": "ALT", "shift": "SHIFT", "super": "LOGO"}
_KEYSYMS = {"tab": "Tab", "pause": "Pause", "insert": "Insert", "home": "Home", "end": "End", "menu": "Menu"}
_PYNPUT = {"super": "cmd"}


@dataclass(frozen=True, slots=True)
class Combination:
    """modifiers: some of ``MODIFIERS``, in order. key: a letter, a digit, or a named key."""

    modifiers: tuple[str, ...]
    key: str

    @classmethod
    def read(cls, written: str) -> Self:
        """What a person wrote, as "ctrl+alt+space".

        Raises:
            BadInput: a part of it is no key, or there is none but a plain letter, which one also writes with.
        """
        parts = [_SAME.get(part, part) for part in written.lower().replace(" ", "").split("+")]
        *held, key = parts
        strange = [part for part in held if part not in MODIFIERS]
        if strange or not (key in _NAMED or (len(key) == 1 and key.isascii() and key.isalnum())):
            raise _no_keys(written)
        if not held and not (key == "pause" or (key.startswith("f") and key in _NAMED)):
            raise _no_keys(written)
        return cls(tuple(one for one in MODIFIERS if one in held), key)

    def __str__(self) -> str:
        return "+".join((*self.modifiers, self.key))

    @property
    def trigger(self) -> str:
        """By the XDG specification of shortcuts, as "CTRL+ALT+space"."""
        key = self.key.upper() if self.key in _NAMED and self.key[1:].isdecimal() else self.key
        return "+".join((*(_PORTAL[one] for one in self.modifiers), _KEYSYMS.get(self.key, key)))

    @property
    def hotkey(self) -> str:
        """As pynput writes it: "<ctrl>+<alt>+<space>"."""
        held = [f"<{_PYNPUT.get(one, one)}>" for one in self.modifiers]
        return "+".join((*held, f"<{self.key}>" if self.key in _NAMED else self.key))


def _no_keys(written: str) -> BadInput:
    return BadInput(
        f"{written[:40]!r} is no key to talk", mend="Write some of ctrl, alt, shift, super and a key: ctrl+alt+space."
    )
