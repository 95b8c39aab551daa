"""Which dialects there are, and which one an endpoint speaks.

The exact name of a standard decides. Else, where neither a standard nor a provider is given, the URL does, by the rule
of the dialect that comes first. A provider's name beats the URL. The default is ``openai-completions``.

A plugin adds its own by an entry point of the group ``companion.dialects``: a function without arguments, called once,
that calls ``register_dialect``. One that fails is logged and left out.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, cast

from companion.dialects.contract import Dialect
from companion.dialects.urls import split_url
from companion.errors import NotRegistered, PatternError

if TYPE_CHECKING:
    from urllib.parse import SplitResult

logger = logging.getLogger(__name__)

DEFAULT = "openai-completions"
ENTRY_POINTS = "companion.dialects"

UrlRule = Callable[["SplitResult"], bool]
"""Whether a URL is of a dialect; its path comes without a slash at the end."""


def _never(url: SplitResult) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Registration:
    """A dialect, and what it is chosen by.

    priority: the lower comes first. standards: names beside its own. providers: words a provider's name begins with.
    """

    name: str
    make: Callable[[], Dialect]
    priority: int = 100
    standards: tuple[str, ...] = ()
    providers: tuple[str, ...] = ()
    is_of_url: UrlRule = _never

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name, *self.standards)


def _named(path: str) -> Callable[[], Dialect]:
    """A maker of ``module:Class``, which is imported when it is first asked for."""
    module, _, attribute = path.partition(":")
    return lambda: cast(Dialect, getattr(import_module(f"companion.dialects.{module}"), attribute)())


def _ends(*endings: str) -> UrlRule:
    return lambda url: url.path.endswith(endings)


def _is_dashscope(url: SplitResult) -> bool:
    host = url.hostname or ""
    is_theirs = host.startswith("dashscope") and host.endswith(".aliyuncs.com")
    return is_theirs and f"{url.path}/".startswith("/api/v1/services/")


def _is_gemini(url: SplitResult) -> bool:
    is_of_models = "/v1beta/models/" in url.path or "/v1/models/" in url.path
    return is_of_models and url.path.endswith(("generateContent", "streamGenerateContent"))


BUILT_IN = (
    Registration("dashscope", _named("dashscope:DashScope"), 10, providers=("dashscope",), is_of_url=_is_dashscope),
    Registration("ollama", _named("ollama:Ollama"), 20, providers=("ollama",), is_of_url=_ends("/api/chat")),
    Registration(
        "google-interactions",
        _named("google_interactions:GoogleInteractions"),
        29,
        standards=("gemini-interactions",),
        is_of_url=_ends("/interactions"),
    ),
    Registration(
        "gemini",
        _named("gemini:Gemini"),
        30,
        standards=("google", "google-models", "google-generate", "gemini-models"),
        providers=("google", "gemini"),
        is_of_url=_is_gemini,
    ),
    Registration(
        "anthropic",
        _named("anthropic:Anthropic"),
        40,
        standards=("claude",),
        providers=("anthropic", "claude"),
        is_of_url=_ends("/messages"),
    ),
    Registration("openai-responses", _named("openai_responses:OpenAIResponses"), is_of_url=_ends("/responses")),
    Registration(DEFAULT, _named("openai_completions:OpenAICompletions"), standards=("openai",)),
)


@dataclass(slots=True)
class Registry:
    """Dialects by name. Each is made when it is first chosen, and once."""

    registrations: list[Registration] = field(default_factory=lambda: list(BUILT_IN))
    has_plugins: bool = False
    """Whether the entry points have been asked."""
    _made: dict[str, Dialect] = field(default_factory=dict)

    def register(self, registration: Registration) -> None:
        """Add one.

        Raises:
            PatternError: its name is empty, or taken.
        """
        name = registration.name
        if not name or name in self.known():
            why = "is taken" if name else "is no name"
            raise PatternError(f"a dialect cannot be called {name!r}: it {why}", pattern=name)
        self.registrations.append(registration)

    def known(self) -> tuple[str, ...]:
        """The names of all, those that are asked first first."""
        return tuple(one.name for one in self._in_order())

    def choose(self, standard: str = "", provider: str = "", url: str = "") -> Dialect:
        """The dialect of an endpoint.

        Raises:
            NotRegistered: no dialect is of that standard; ``mend`` names the nearest.
            SettingsError: the URL is none.
        """
        return self._made_of(self._chosen(standard.strip().lower(), provider.strip().lower(), url))

    def _chosen(self, standard: str, provider: str, url: str) -> Registration:
        if standard:
            return self._of_standard(standard)
        found: Iterable[Registration] = ()
        if provider:
            found = [one for one in self._in_order() if one.providers and provider.startswith(one.providers)]
        elif url:
            parts = split_url(url)
            found = [one for one in self._in_order() if one.is_of_url(parts)]
        return next(iter(found), None) or self._of_standard(DEFAULT)

    def _of_standard(self, standard: str) -> Registration:
        for one in self._in_order():
            if standard in one.names:
                return one
        import difflib

        names = [name for one in self._in_order() for name in one.names]
        alike = difflib.get_close_matches(standard, names, n=1, cutoff=0.5)
        guess = f"did you mean {alike[0]}? " if alike else ""
        raise NotRegistered(
            f"there is no dialect {standard!r}", name=standard, mend=f"{guess}there are {', '.join(self.known())}"
        )

    def _made_of(self, registration: Registration) -> Dialect:
        name = registration.name
        if name not in self._made:
            self._made[name] = registration.make()
        return self._made[name]

    def _in_order(self) -> Iterable[Registration]:
        return sorted(self.registrations, key=lambda one: one.priority)


_REGISTRY = Registry()


def register_dialect(
    dialect: Dialect,
    priority: int = 100,
    *,
    standards: tuple[str, ...] = (),
    providers: tuple[str, ...] = (),
    is_of_url: UrlRule = _never,
) -> None:
    """Add a dialect under its name.

    priority: the lower comes first. standards: further names. providers: words that a provider's name begins with.

    Raises:
        PatternError: its name is empty, or taken.
    """
    _REGISTRY.register(Registration(dialect.name, lambda: dialect, priority, standards, providers, is_of_url))


def dialects() -> tuple[str, ...]:
    """The names of all dialects, those that are asked first first."""
    return _with_plugins().known()


def choose_dialect(standard: str = "", provider: str = "", url: str = "") -> Dialect:
    """The dialect that an endpoint speaks; see above for what decides.

    Raises:
        NotRegistered: no dialect is of that standard; ``mend`` names the nearest.
        SettingsError: the URL is none.
    """
    return _with_plugins().choose(standard, provider, url)


def _with_plugins() -> Registry:
    if not _REGISTRY.has_plugins:
        _REGISTRY.has_plugins = True
        _ask_plugins()
    return _REGISTRY


def _ask_plugins() -> None:
    from importlib.metadata import entry_points

    for entry in entry_points(group=ENTRY_POINTS):
        try:
            entry.load()()
        except Exception:  # a stranger's code; a broken plugin never stops us
            logger.warning("the dialect plugin %s cannot be used", entry.name, exc_info=True)
