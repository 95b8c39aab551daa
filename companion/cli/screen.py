"""What a running companion shows on a terminal: where it stands, what it heard and says, what is wrong."""

from __future__ import annotations

from collections.abc import Callable

from companion.app.events import ModelLoaded, Problem, Ready, Served, Shown, Solved, Telling, WentOut
from companion.cli import show
from companion.voice.events import HeardText, Ignored, Speaking, Spoken, State, StateChanged, Trouble, Woken

_STATES = {
    State.ASLEEP: "waiting",
    State.LISTENING: "listening",
    State.THINKING: "thinking",
    State.MUTED: "muted",
    State.DEAF: "no microphone",
}
"""The others show by what is heard and said."""


class Screen:
    """Listens to the events of a companion.

    quiet: print problems only.
    """

    def __init__(self, *, quiet: bool = False) -> None:
        self._quiet = quiet
        self._problems: dict[str, str] = {}
        self._state: State | None = None
        self._servers: dict[str, str] = {}
        self._was_said = False
        """Whether something of the reply was shown on its way to the loudspeaker."""

    def show(self, event: object) -> None:
        """Show one event, if it is worth a line."""
        match event:
            case Problem(topic, message, mend):
                self._complain(topic, message, mend)
            case Solved(topic):
                if self._problems.pop(topic, None) is not None:
                    self._line(show.painted(f"{topic}: all right again", "good"))
            case Trouble(message, mend):
                show.complaint(message, mend)
            case Shown(text):
                self._line(text.strip())
            case _ if not self._quiet:
                self._tell(event)

    def _tell(self, event: object) -> None:
        match event:
            case Ready(wake_word, seconds):
                how = f'Say "{wake_word}"' if wake_word else "Just speak"
                self._line(show.painted(f"Ready in {seconds:.1f} s. {how}, or type Ctrl-C to end.", "bold"))
            case ModelLoaded(report):
                self._line(show.painted(f"  ({report.name} loaded in {report.load_seconds:.1f} s)", "dim"))
            case StateChanged(state):
                self._move_to(state)
            case Served(step, name) if name != self._servers.get(step, ""):
                self._servers[step] = name
                self._line(show.painted(f"  ({step}: {name or 'this machine'})", "dim"))
            case WentOut(_, host, size, kinds):
                self._line(show.painted(f"  (sent to {host}: {size:,} bytes of {' and '.join(kinds)})", "dim"))
            case Woken(word):
                self._line(show.painted(f"  (heard {word.replace('_', ' ')})", "dim"))
            case HeardText(text, final=True):
                self._line(f"you:       {text}")
            case Speaking() | Spoken():
                self._reply(event)
            case Ignored(reason):
                self._line(show.painted(f"  (not answered: {reason.replace('_', ' ')})", "dim"))

    def _reply(self, event: Speaking | Spoken) -> None:
        """Piece by piece; what had no voice to be said with can still be read at its end."""
        text, is_piece = event.text.strip(), isinstance(event, Speaking)
        if is_piece or (text and not self._was_said):
            self._line(f"companion: {text}")
        self._was_said = is_piece

    def _move_to(self, state: State) -> None:
        if state is not self._state and state in _STATES:
            self._line(show.painted(f"  ({_STATES[state]})", "dim"))
        self._state = state

    def _complain(self, topic: str, message: str, mend: str) -> None:
        """Say it once, not at every attempt."""
        if self._problems.get(topic) != message:
            self._problems[topic] = message
            show.complaint(message, mend)

    def _line(self, text: str) -> None:
        if not self._quiet:
            show.line(text)


def complaining(*, first: Callable[[object], None] = lambda event: None) -> Telling:
    """Events of which only problems are shown. ``first``: told of each before that."""
    telling = Telling()
    telling.subscribe(first)
    telling.subscribe(Screen(quiet=True).show)
    return telling
