"""What an entry of a configuration file asks of a provider: where it is, in which dialect, and by whose key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from companion.compose.loader import Entry, ModelType
from companion.compose.loader.fields import wrong
from companion.providers.remote.endpoint import Door, Endpoint
from companion.providers.remote.endpoints import ENDPOINTS, endpoint
from companion.providers.remote.exchange import host_of, is_this_machine
from companion.providers.remote.keys import Key, Keys, is_key, no_key

_COMPLETIONS, _RESPONSES = "openai-completions", "openai-responses"
_SUBJECTS = {
    _COMPLETIONS: "completions",
    _RESPONSES: "responses",
    "anthropic": "messages",
    "google-interactions": "interactions",
}
"""Of a generator, by the dialect; ``chat`` is the one that the provider is asked in when nobody asks for another."""
_OTHER_NAMES = {"gemini": "google"}
_SPEECH = {
    ModelType.ASR: (("openai", "groq", "vllm"), ("transcriptions", "asr")),
    ModelType.TTS: (("openai",), ("speech", "tts")),
    ModelType.REALTIME: (("openai",), ("realtime",)),
}
"""Who is asked for speech in the protocol of OpenAI, and by which subjects."""


def _chat_subjects(known: Endpoint) -> tuple[str, ...]:
    return ("chat", *(_SUBJECTS[door.dialect] for door in known.doors if door.dialect in _SUBJECTS))


def _all_subjects() -> Mapping[tuple[ModelType, str], Sequence[str]]:
    names = [*(known.name for known in ENDPOINTS), *_OTHER_NAMES]
    chats = {(ModelType.GENERATOR, name): _chat_subjects(_endpoint_named(name)) for name in names}
    speech = {(type_, name): subjects for type_, (providers, subjects) in _SPEECH.items() for name in providers}
    return {**chats, **speech}


def _endpoint_named(provider: str) -> Endpoint:
    return endpoint(_OTHER_NAMES.get(provider, provider))


SUBJECTS = _all_subjects()
"""The subjects that are served, by type and provider."""


@dataclass(frozen=True, slots=True)
class Service:
    """endpoint: as it is asked. key: how its key is fetched.

    needs_kept_key: whether that is the key which the user keeps for this provider, and it serves nobody without one.
    """

    endpoint: Endpoint
    key: Key
    needs_kept_key: bool = False


def service_of(entry: Entry, keys: Keys) -> Service:
    """What ``entry`` asks of whom.

    The keys that the user keeps for a provider go to that provider's own address only; at any other one a file has to
    hold the key.

    Raises:
        ModelConfigError: a field cannot be used.
    """
    known = _endpoint_named(entry.schema.provider)
    spoken = known.speaking(_dialect(entry))
    url = _web_address(entry)
    is_own = not url or _origin(url) in {_origin(door.base_url) for door in known.doors}
    found = _with_role(entry, spoken if not url else _at(url, spoken, is_own=is_own))
    if entry.keys.api_key:
        return Service(found, _key_in(entry))
    return Service(found, keys.of(known), known.needs_key) if is_own else Service(found, no_key)


def _dialect(entry: Entry) -> str:
    if entry.type is not ModelType.GENERATOR:
        return _COMPLETIONS
    return next((dialect for dialect, subject in _SUBJECTS.items() if subject == entry.schema.subject), "")


def _web_address(entry: Entry) -> str:
    """Where it is asked, as http or https; empty for the provider's own address."""
    url = entry.base_url
    if url and not _is_address(url):
        raise wrong(entry.file, "base_url", "is no address", 'Write it as "https://host/v1".')
    scheme, _, rest = url.partition("://")
    if scheme in ("ws", "wss"):
        if entry.type is not ModelType.REALTIME:
            raise wrong(entry.file, "base_url", "is of a WebSocket", 'Write it as "https://host/v1".')
        scheme = scheme.replace("ws", "http")
        url = f"{scheme}://{rest}"
    if scheme == "http" and not is_this_machine(url) and not entry.allow_plain_http:
        mend = "Make it https, or write allow_plain_http: true where you trust the network between."
        raise wrong(entry.file, "base_url", "would send everything in the clear over the network", mend)
    return url


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _origin(url: str) -> tuple[str, str]:
    return url.partition("://")[0].lower(), host_of(url).lower()


def _at(url: str, spoken: Endpoint, *, is_own: bool) -> Endpoint:
    if is_own or spoken.name != "openai":
        return spoken.at(url)
    # Somebody else who speaks its protocol: an engine, as a rule, that knows no names in a choice of tools.
    door = Door(spoken.door.dialect, url, has_named_choice=False, writes_calls=True)
    host = host_of(url)
    return Endpoint(host, host, (door,), needs_key=False, is_local=is_this_machine(url))


def _with_role(entry: Entry, found: Endpoint) -> Endpoint:
    role, dialect = entry.prompt_role, found.door.dialect
    if dialect in (_COMPLETIONS, _RESPONSES):
        return replace(found, doors=(replace(found.door, system_role=role), *found.doors[1:]))
    if role == "developer":
        raise entry.wrong("prompt_role", f"is developer, which {dialect} does not know", "Leave it out.")
    return found


def _key_in(entry: Entry) -> Key:
    key = entry.keys.api_key.strip()
    if not is_key(key):
        raise wrong(entry.file, "api_key", "holds letters that no key has", "Copy it once more.")
    return lambda: key
