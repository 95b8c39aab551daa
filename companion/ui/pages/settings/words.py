"""What every setting is called and what it does, in the language of the window."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class Words:
    """name: in a few words. explanation: a sentence. unit: behind a number."""

    name: str
    explanation: str
    unit: str = ""


def words_of(setting: str, meaning: str = "") -> Words:
    """The words of a setting. meaning: what to say of one that has none here."""
    return all_words().get(setting) or Words(setting, meaning)


def all_words() -> Mapping[str, Words]:
    """The words of all settings, by dotted name."""
    parts = (_general, _sound, _wake, _turn, _models, _cloud, _money, _mind, _rest)
    return {name: words for part in parts for name, words in part().items()}


def group_name(section: str) -> str:
    """What a table of the settings file is called."""
    names = {
        "general": translate("Settings", "You and the companion"),
        "sound": translate("Settings", "Microphone and loudspeaker"),
        "wake": translate("Settings", "Being called"),
        "turn": translate("Settings", "Taking turns"),
        "models": translate("Settings", "Models"),
        "cloud": translate("Settings", "Providers on the internet"),
        "history": translate("Settings", "The conversation"),
        "memory": translate("Settings", "Memory"),
        "knowledge": translate("Settings", "Knowledge"),
        "plugins": translate("Settings", "Plugins"),
        "personality": translate("Settings", "Personality"),
        "desktop": translate("Settings", "Desktop"),
        "log": translate("Settings", "Log"),
    }
    return names.get(section, section)


def _general() -> dict[str, Words]:
    return {
        "general.language": Words(
            translate("Settings", "Language"),
            translate("Settings", "The language you speak with me."),
        ),
        "general.name": Words(
            translate("Settings", "Your name"),
            translate("Settings", "What I may call you. Leave it empty if you would rather not say."),
        ),
        "desktop.talk_key": Words(
            translate("Settings", "Key to talk"),
            translate(
                "Settings",
                "Opens my ears wherever you are on the desktop, as ctrl+alt+space: hold it and talk, or tap it.",
            ),
        ),
        "personality.which": Words(
            translate("Settings", "Personality"),
            translate("Settings", "Who I am: your own text, or one that came with me."),
        ),
    }


def _sound() -> dict[str, Words]:
    return {
        "sound.microphone": Words(
            translate("Settings", "Microphone"),
            translate("Settings", "By name, or a part of it. Empty: the one this computer uses."),
        ),
        "sound.speaker": Words(
            translate("Settings", "Loudspeaker"),
            translate("Settings", "By name, or a part of it. Empty: the one this computer uses."),
        ),
        "sound.volume": Words(translate("Settings", "Volume"), translate("Settings", "How loud I speak.")),
        "sound.echo_cancellation": Words(
            translate("Settings", "Take my own voice out"),
            translate("Settings", "So that I do not hear myself, and you can interrupt me."),
        ),
        "sound.noise_suppression": Words(
            translate("Settings", "Lower steady noise"),
            translate("Settings", "A fan or a street is made quieter while somebody speaks."),
        ),
        "sound.gain": Words(
            translate("Settings", "Microphone gain"),
            translate("Settings", "Makes a low microphone louder."),
            translate("Settings", " dB"),
        ),
        "sound.chimes": Words(
            translate("Settings", "Chimes"),
            translate("Settings", "Short sounds: I heard you, I did not understand, something is wrong."),
        ),
    }


def _wake() -> dict[str, Words]:
    return {
        "wake.word": Words(
            translate("Settings", "Name to call"), translate("Settings", "Say it before you ask me something.")
        ),
        "wake.threshold": Words(
            translate("Settings", "How sure I must be of it"),
            translate("Settings", "Lower: I hear the name more easily, and more often by mistake."),
        ),
        "wake.verifier_threshold": Words(
            translate("Settings", "How sure the second look must be"),
            translate("Settings", "A second detector hears the name again. Nothing turns it off."),
        ),
        "wake.open_microphone": Words(
            translate("Settings", "Listen without a name"),
            translate("Settings", "I answer whoever speaks, without being called."),
        ),
        "wake.follow_up": Words(
            translate("Settings", "Listen on after an answer"),
            translate("Settings", "So long you can go on without calling me again."),
            translate("Settings", " s"),
        ),
    }


def _turn() -> dict[str, Words]:
    seconds = translate("Settings", " s")
    return {
        "turn.command_silence": Words(
            translate("Settings", "Silence after a command"),
            translate("Settings", "So short a silence ends a command that I understand whole."),
            seconds,
        ),
        "turn.complete_silence": Words(
            translate("Settings", "Silence after a whole sentence"),
            translate("Settings", "So short a silence ends a sentence that sounds finished."),
            seconds,
        ),
        "turn.default_silence": Words(
            translate("Settings", "Silence after anything else"),
            translate("Settings", "Where it is not clear whether you go on."),
            seconds,
        ),
        "turn.incomplete_silence": Words(
            translate("Settings", "Silence after half a sentence"),
            translate("Settings", "So long I wait while you look for the next word."),
            seconds,
        ),
        "turn.complete_above": Words(
            translate("Settings", "Sounds finished from"),
            translate("Settings", "The score above which a sentence counts as finished."),
        ),
        "turn.incomplete_below": Words(
            translate("Settings", "Sounds unfinished up to"),
            translate("Settings", "The score below which a sentence counts as unfinished."),
        ),
        "turn.longest": Words(
            translate("Settings", "Longest question"),
            translate("Settings", "After so long I answer what there is."),
            seconds,
        ),
        "turn.barge_in": Words(
            translate("Settings", "Let me be interrupted"),
            translate("Settings", "When you speak while I do, I stop and listen."),
        ),
    }


def _models() -> dict[str, Words]:
    return {
        "models.recogniser": Words(
            translate("Settings", "What listens"),
            translate("Settings", "The model that writes down what you say. auto: what fits this computer."),
        ),
        "models.language_model": Words(
            translate("Settings", "What answers"),
            translate("Settings", "The model that thinks. auto: the best one that is here."),
        ),
        "models.voice": Words(
            translate("Settings", "What speaks"),
            translate("Settings", "The voice. auto: one for the language of the answer."),
        ),
        "models.threads": Words(
            translate("Settings", "Threads"),
            translate("Settings", "How many a model may use at once. 0: all cores."),
        ),
        "models.idle_unload": Words(
            translate("Settings", "Give memory back after"),
            translate("Settings", "A model that is unused so long leaves the memory. 0: it stays."),
            translate("Settings", " s"),
        ),
        "models.context_tokens": Words(
            translate("Settings", "How much it keeps in mind"),
            translate("Settings", "Room for the conversation, in tokens. More needs more memory."),
        ),
        "models.answer_tokens": Words(
            translate("Settings", "Longest answer"),
            translate("Settings", "In tokens; a word is one or two."),
        ),
        "models.tools": Words(
            translate("Settings", "Tools"),
            translate("Settings", "Whether the model may look into memory and documents by itself."),
        ),
        "models.temperature": Words(
            translate("Settings", "How freely I word things"),
            translate("Settings", "Low: plain and steady. High: more surprising."),
        ),
        "models.speed": Words(
            translate("Settings", "How fast I speak"),
            translate("Settings", "1 is as the voice was recorded."),
            translate("Settings", " ×"),
        ),
    }


def _cloud() -> dict[str, Words]:
    return {
        "cloud.recogniser": Words(
            translate("Settings", "Who writes down what you say"),
            translate("Settings", "Only this computer, or a provider as well. Your voice would go there."),
        ),
        "cloud.language_model": Words(
            translate("Settings", "Who answers"),
            translate("Settings", "Only this computer, or a provider as well. Your words would go there."),
        ),
        "cloud.voice": Words(
            translate("Settings", "Who speaks"),
            translate("Settings", "Only this computer, or a provider as well. My answers would go there."),
        ),
        "cloud.recogniser_model": Words(
            translate("Settings", "Provider that writes down"),
            translate("Settings", "With its model, as openai/gpt-4o-mini-transcribe."),
        ),
        "cloud.chat_model": Words(
            translate("Settings", "Provider that answers"),
            translate("Settings", "With its model, as openai/gpt-5-mini."),
        ),
        "cloud.voice_model": Words(
            translate("Settings", "Provider that speaks"),
            translate("Settings", "With its model, as openai/gpt-4o-mini-tts."),
        ),
        "cloud.voice_name": Words(
            translate("Settings", "Voice of the provider"), translate("Settings", "As the provider calls it.")
        ),
        "cloud.address": Words(
            translate("Settings", "Server of your own"),
            translate("Settings", "Its address, asked in place of the provider's. Empty: none."),
        ),
        "cloud.slow_after": Words(
            translate("Settings", "Too slow after"),
            translate("Settings", "Who has not begun to answer by then is not waited for."),
            translate("Settings", " s"),
        ),
        "cloud.proxy": Words(
            translate("Settings", "Proxy"),
            translate("Settings", "For what leaves the house. Empty: that of the system."),
        ),
        "cloud.ca_file": Words(
            translate("Settings", "Certificates"),
            translate("Settings", "A file with more of them to trust. Empty: none."),
        ),
    }


def _money() -> dict[str, Words]:
    return {
        "cloud.call_tokens": Words(
            translate("Settings", "Most of one call"),
            translate("Settings", "Question and answer together, in tokens."),
        ),
        "cloud.monthly_budget": Words(
            translate("Settings", "Most that a month may cost"),
            translate("Settings", "In the currency of the prices. Then only this computer answers. 0: nothing at all."),
        ),
        "cloud.read_price": Words(
            translate("Settings", "Price of reading"),
            translate("Settings", "Of a million tokens that the provider reads."),
        ),
        "cloud.write_price": Words(
            translate("Settings", "Price of writing"),
            translate("Settings", "Of a million tokens that the provider writes."),
        ),
        "cloud.minute_price": Words(
            translate("Settings", "Price of listening"), translate("Settings", "Of a minute that is written down.")
        ),
        "cloud.speech_price": Words(
            translate("Settings", "Price of speaking"), translate("Settings", "Of a million letters that are spoken.")
        ),
    }


def _mind() -> dict[str, Words]:
    return {
        "history.keep": Words(
            translate("Settings", "Keep the conversation"),
            translate("Settings", "On this computer, so that we can go on with it tomorrow."),
        ),
        "history.session": Words(
            translate("Settings", "Name of the conversation"),
            translate("Settings", "Another name begins another one; the old one stays."),
        ),
        "memory.keep": Words(
            translate("Settings", "Remember what you tell me"),
            translate("Settings", "Facts from what you say, on this computer only."),
        ),
        "memory.recall_tokens": Words(
            translate("Settings", "How much comes to mind"),
            translate("Settings", "Remembered text that goes along with a question, in tokens."),
        ),
        "memory.offer_reminders": Words(
            translate("Settings", "Offer to remind me"),
            translate("Settings", "When you speak of an appointment to come, I ask whether to remind you."),
        ),
        "memory.consolidation": Words(
            translate("Settings", "Put the memory in order"),
            translate("Settings", "By myself, while nobody talks."),
        ),
        "memory.consolidation_minutes": Words(
            translate("Settings", "How often"),
            translate("Settings", "From one time to the next."),
            translate("Settings", " min"),
        ),
        "memory.on_battery": Words(
            translate("Settings", "On battery, too"), translate("Settings", "Costs a little power.")
        ),
        "knowledge.folders": Words(
            translate("Settings", "Folders to search"),
            translate("Settings", "Your texts and PDF files there. One path each, parted by semicolons."),
        ),
    }


def _rest() -> dict[str, Words]:
    return {
        "plugins.others": Words(
            translate("Settings", "Plugins of others"),
            translate("Settings", "Load those that did not come with me, where you have turned them on."),
        ),
        "log.level": Words(
            translate("Settings", "How much goes into the log"), translate("Settings", "More helps to find faults.")
        ),
        "log.private_text": Words(
            translate("Settings", "What was said may go into the log"),
            translate("Settings", "Off: the log holds no words of ours."),
        ),
    }
