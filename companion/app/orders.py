"""What a face of the house, or a second process, may ask of the running companion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields

from companion.errors import BadInput

STARTING = "the companion is starting"
"""Why an order cannot be carried out yet."""
LONGEST_TEXT = 4000
"""Characters of an announcement or a question."""
LONGEST_MUTE = 7 * 86_400.0
"""Seconds for which ears may be closed before they open by themselves."""
PATIENCE = 10.0
"""Seconds an order may take."""
ANSWER_PATIENCE = 90.0
"""The same for a question, which a slow machine thinks about."""


@dataclass(frozen=True, slots=True)
class Status:
    """Say how things stand."""


@dataclass(frozen=True, slots=True)
class Mute:
    """Close the ears or open them."""

    on: bool | None = None
    """None turns it over."""
    seconds: float | None = None
    """For how long they are closed; None until somebody opens them."""


@dataclass(frozen=True, slots=True)
class Hush:
    """Show replies without saying them, or say them again."""

    on: bool | None = None
    """None turns it over."""


@dataclass(frozen=True, slots=True)
class Talk:
    """Listen at once, without the wake word."""

    hold: bool = False
    """Until ``Release``, whatever is said and not."""


@dataclass(frozen=True, slots=True)
class Release:
    """The key to talk was let go: what was said until now is the turn."""


@dataclass(frozen=True, slots=True)
class Stop:
    """Be quiet and go back to waiting for the wake word."""


@dataclass(frozen=True, slots=True)
class Toggle:
    """One key for everything: listen when idle, else stop."""


@dataclass(frozen=True, slots=True)
class Announce:
    """Say this when nobody speaks."""

    text: str


@dataclass(frozen=True, slots=True)
class Ask:
    """Answer a typed question in writing."""

    text: str


@dataclass(frozen=True, slots=True)
class Tend:
    """See to what is remembered, known or plugged in.

    desk: whose work it is (memory, knowledge, plugins, ...; see ``app/desks/table.py``).
    action: what to do. given: what for, by name.
    """

    desk: str
    action: str
    given: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Raise:
    """Bring the window to the front."""


@dataclass(frozen=True, slots=True)
class Shutdown:
    """End the companion."""


Order = Status | Mute | Hush | Talk | Release | Stop | Toggle | Announce | Ask | Tend | Raise | Shutdown

_ORDERS: dict[str, type[Order]] = {
    kind.__name__.lower(): kind
    for kind in (Status, Mute, Hush, Talk, Release, Stop, Toggle, Announce, Ask, Tend, Raise, Shutdown)
}


def patience(order: Order) -> float:
    """Seconds it may take."""
    return ANSWER_PATIENCE if isinstance(order, Ask | Tend) else PATIENCE


def written(order: Order) -> dict[str, object]:
    """The order as it goes over the control socket."""
    return {"order": type(order).__name__.lower(), **asdict(order)}


def read(document: object) -> Order:
    """The order a control client sent.

    Raises:
        BadInput: it is none; names the field.
    """
    if not isinstance(document, Mapping):
        raise BadInput("an order is a JSON object", mend='Send {"order": "status"}.')
    values = dict(document)
    name = values.pop("order", None)
    kind = _ORDERS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise BadInput(f"there is no order {_short(name)}", mend=f"Use one of {', '.join(_ORDERS)}.")
    strange = sorted(set(map(str, values)) - {field.name for field in fields(kind)})
    if strange:
        raise BadInput(f"order {name}: unknown field {_short(strange[0])}", mend="Leave it out.")
    return _checked(kind, values)


def is_text(words: str) -> bool:
    """Whether they can be written down: bytes that are no UTF-8 come out of a command line as half characters."""
    try:
        words.encode()
    except UnicodeEncodeError:
        return False
    return True


def _checked(kind: type[Order], values: dict[str, object]) -> Order:
    if kind is Mute or kind is Hush:
        on = values.get("on")
        if on is not None and not isinstance(on, bool):
            name = kind.__name__.lower()
            raise BadInput(f"order {name}: on is neither true nor false", mend="Leave it out to turn it over.")
        return Hush(on) if kind is Hush else Mute(on, _seconds(values.get("seconds")))
    if kind is Talk:
        hold = values.get("hold", False)
        if isinstance(hold, bool):
            return Talk(hold)
        raise BadInput("order talk: hold is neither true nor false", mend="Leave it out.")
    if kind is Announce or kind is Ask:
        text = values.get("text")
        if isinstance(text, str) and text.strip() and len(text) <= LONGEST_TEXT and is_text(text):
            return kind(text)
        name = kind.__name__.lower()
        raise BadInput(f"order {name}: text is missing, too long or broken", mend=f"Up to {LONGEST_TEXT} characters.")
    if kind is Tend:
        return _tend(values)
    return kind()  # type: ignore[call-arg]  # the others have no fields


def _seconds(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= LONGEST_MUTE:
        return float(value)
    raise BadInput("order mute: seconds is no length of time", mend=f"Up to {LONGEST_MUTE:.0f}, or leave it out.")


def _tend(values: dict[str, object]) -> Tend:
    desk, action, given = values.get("desk"), values.get("action"), values.get("given", {})
    if not (isinstance(desk, str) and isinstance(action, str) and isinstance(given, dict)):
        raise BadInput("order tend: desk and action are texts, given is an object", mend="See `companion --help`.")
    return Tend(desk, action, given)


def _short(value: object) -> str:
    return repr(value)[:40]
