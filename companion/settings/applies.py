"""Which settings a running companion goes by at once; all others count from its next start."""

from __future__ import annotations

from companion.settings.describe import described, find, value_of
from companion.settings.schema import Settings

AT_ONCE = frozenset(
    {
        "general.name",
        *("sound.microphone", "sound.speaker", "sound.volume", "sound.gain", "sound.chimes"),
        *("sound.echo_cancellation", "sound.noise_suppression"),
        *("wake.word", "wake.threshold", "wake.verifier_threshold", "wake.open_microphone", "wake.follow_up"),
        *("turn.command_silence", "turn.complete_silence", "turn.default_silence", "turn.incomplete_silence"),
        *("turn.complete_above", "turn.incomplete_below", "turn.longest", "turn.barge_in"),
        *("models.answer_tokens", "models.temperature"),
        *("memory.on_battery", "knowledge.folders", "personality.which", "desktop.talk_key"),
        *("log.level", "log.private_text"),
    }
)


def differing(one: Settings, other: Settings) -> tuple[str, ...]:
    """The names of the settings that are not the same in both."""
    return tuple(name for name, setting in described().items() if value_of(one, setting) != value_of(other, setting))


def taking(settings: Settings, fresh: Settings, names: frozenset[str] = AT_ONCE) -> Settings:
    """``settings`` with what ``fresh`` holds for some names."""
    sections: dict[str, dict[str, object]] = {}
    for name in sorted(names):
        setting = find(name)
        sections.setdefault(setting.section, {})[setting.key] = value_of(fresh, setting)
    tables = {section: getattr(settings, section).model_copy(update=keys) for section, keys in sections.items()}
    return settings.model_copy(update=tables)
