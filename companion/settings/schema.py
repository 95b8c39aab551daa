"""Every setting, with its default, its limits and one line that explains it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

Fraction = Annotated[float, Field(ge=0.0, le=1.0)]
Language = Annotated[str, Field(pattern=r"^(auto|[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*)$")]
WakeWord = Literal["okay_nabu", "hey_jarvis", "hey_mycroft", "alexa"]
Seconds = Annotated[float, Field(ge=0.0, le=3600.0)]


def _listed(given: object) -> object:
    """A list of the file, or what a person typed as one text, parted at semicolons."""
    if isinstance(given, str):
        return tuple(part.strip() for part in given.split(";") if part.strip())
    return tuple(given) if isinstance(given, list) else given


Texts = Annotated[tuple[str, ...], BeforeValidator(_listed), Field(max_length=64)]


class Section(BaseModel):
    """A table of settings. Unknown names are refused, so that a typing error is found."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class General(Section):
    language: Language = Field(
        default="en", description='Language you speak: a tag as "en" or "zh", or "auto" to detect each turn.'
    )
    name: str = Field(default="", description="What the companion may call you.")


class Sound(Section):
    microphone: str = Field(
        default="", description="Microphone by name, or part of it; empty follows the system's default."
    )
    speaker: str = Field(
        default="", description="Loudspeaker by name, or part of it; empty follows the system's default."
    )
    volume: Fraction = Field(default=0.8, description="Volume of the companion's voice, 0 to 1.")
    echo_cancellation: bool = Field(default=True, description="Take the companion's own voice out of the microphone.")
    noise_suppression: bool = Field(default=True, description="Lower steady noise while somebody speaks.")
    gain: Annotated[float, Field(ge=-20, le=40)] = Field(default=0.0, description="Microphone gain in dB.")
    chimes: bool = Field(
        default=True,
        description="Short sounds for: heard you, did not understand, something is wrong, a timer is due.",
    )


class Wake(Section):
    word: WakeWord = Field(default="okay_nabu", description="The wake word.")
    threshold: Fraction = Field(
        default=0.7, description="How sure the first detector must be; lower wakes more easily."
    )
    verifier_threshold: Fraction = Field(
        default=0.1, description="How sure the second detector must be; 0 turns it off."
    )
    open_microphone: bool = Field(default=False, description="Listen without a wake word.")
    follow_up: Seconds = Field(
        default=6.0, description="Seconds to listen for more after a reply, without the wake word."
    )


class Turn(Section):
    command_silence: Seconds = Field(default=0.2, description="Silence that ends a complete command.")
    complete_silence: Seconds = Field(default=0.3, description="Silence that ends a sentence which sounds complete.")
    default_silence: Seconds = Field(default=0.6, description="Silence that ends anything else.")
    incomplete_silence: Seconds = Field(
        default=1.5, description="Silence that ends a sentence which sounds unfinished."
    )
    complete_above: Fraction = Field(default=0.7, description="Score above which a sentence counts as complete.")
    incomplete_below: Fraction = Field(default=0.3, description="Score below which a sentence counts as unfinished.")
    longest: Seconds = Field(default=30.0, description="Longest turn in seconds; then it is answered as it is.")
    barge_in: bool = Field(default=True, description="Whether speaking over a reply stops it.")


class Models(Section):
    recogniser: str = Field(
        default="auto", description='Speech recogniser by shelf name; "auto" takes what fits the machine.'
    )
    language_model: str = Field(
        default="auto", description='Language model by shelf name; "auto" takes the best on the shelf.'
    )
    voice: str = Field(
        default="auto", description='Voice by shelf name; "auto" takes one for the language of the reply.'
    )
    threads: Annotated[int, Field(ge=0, le=64)] = Field(
        default=0, description="Threads a model may use; 0 takes all cores."
    )
    idle_unload: Seconds = Field(
        default=0.0, description="Seconds unused after which a model leaves memory; 0 keeps it."
    )
    context_tokens: Annotated[int, Field(ge=512, le=131072)] = Field(
        default=2048, description="Context of the language model."
    )
    answer_tokens: Annotated[int, Field(ge=16, le=4096)] = Field(default=200, description="Longest answer, in tokens.")
    tools: Literal["auto", "always", "never"] = Field(
        default="auto",
        description="Whether the language model may use tools, as looking into the memory. auto: where it has room "
        "for them, a context of 4096 tokens or a provider's.",
    )
    temperature: Annotated[float, Field(ge=0, le=2)] = Field(
        default=0.7, description="How freely the model words things."
    )
    speed: Annotated[float, Field(ge=0.5, le=2)] = Field(
        default=1.0, description="Speed of the voice; 1 is as recorded."
    )


Policy = Literal["local", "local_first", "cloud_first"]
Service = Annotated[str, Field(pattern=r"^([a-z0-9-]+/\S+)?$")]
Price = Annotated[float, Field(ge=0.0, le=100_000.0)]


class Cloud(Section):
    """What may leave the house. By default nothing does."""

    recogniser: Policy = Field(
        default="local",
        description="Who writes down what you say. local: this machine alone. local_first: the cloud where this "
        "machine fails or is too slow. cloud_first: this machine where the cloud does not answer.",
    )
    language_model: Policy = Field(default="local", description="Who answers; the same choice.")
    voice: Policy = Field(default="local", description="Who speaks; the same choice.")
    recogniser_model: Service = Field(
        default="", description='Provider and model that write down, as "openai/gpt-4o-mini-transcribe".'
    )
    chat_model: Service = Field(default="", description='Provider and model that answer, as "openai/gpt-5-mini".')
    voice_model: Service = Field(default="", description='Provider and model that speak, as "openai/gpt-4o-mini-tts".')
    voice_name: str = Field(default="alloy", description="Voice of the provider.")
    address: str = Field(
        default="", description="Address of a server of your own, asked in place of the provider's; empty: none."
    )
    slow_after: Annotated[float, Field(ge=0.5, le=120.0)] = Field(
        default=5.0, description="Seconds without a first word after which whoever was asked first counts as too slow."
    )
    call_tokens: Annotated[int, Field(ge=256, le=1_000_000)] = Field(
        default=8_000, description="Most tokens of one call, question and answer together."
    )
    monthly_budget: Price = Field(
        default=5.0, description="Most that a month may cost, in the currency of the prices; 0: nothing may be spent."
    )
    read_price: Price = Field(default=3.0, description="Price of a million tokens that the chat model reads.")
    write_price: Price = Field(default=15.0, description="Price of a million tokens that the chat model writes.")
    minute_price: Price = Field(default=0.01, description="Price of a minute of sound that is written down.")
    speech_price: Price = Field(default=20.0, description="Price of a million letters that are spoken.")
    proxy: str = Field(default="", description="Proxy for what leaves the house; empty: that of the environment.")
    ca_file: str = Field(default="", description="File with certificates to trust beside the usual ones; empty: none.")

    @property
    def is_wanted(self) -> bool:
        """Whether anything may leave the house."""
        return {self.recogniser, self.language_model, self.voice} != {"local"}


class History(Section):
    keep: bool = Field(default=True, description="Keep the conversation on disk.")
    session: str = Field(default="default", description="Name of the conversation to go on with.")


class Memory(Section):
    """What it remembers of what you tell it; all of it stays on this machine."""

    keep: bool = Field(default=True, description="Remember facts from what you say.")
    recall_tokens: Annotated[int, Field(ge=0, le=8192)] = Field(
        default=400,
        description="Remembered text that goes along with a question, in tokens at most; a small context holds less.",
    )
    consolidation: bool = Field(default=True, description="Put the memory in order while nobody talks.")
    consolidation_minutes: Annotated[float, Field(ge=1, le=1440)] = Field(
        default=30.0, description="Minutes from one time to the next."
    )
    on_battery: bool = Field(default=False, description="Do so on battery, too.")
    offer_reminders: bool = Field(
        default=True, description="Ask whether to remind you, where you speak of an appointment to come."
    )


class Knowledge(Section):
    """Your own notes and documents."""

    folders: Texts = Field(
        default=(), description="Folders whose texts, web pages, PDF and Word files can be searched."
    )


class Plugins(Section):
    """What others have written to go with the companion."""

    others: bool = Field(
        default=True, description="Load plugins that did not come with the program, where you have enabled them."
    )


class WhoItIs(Section):
    """The personality."""

    which: Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*$")] = Field(
        default="personal", description='Who the companion is: "personal" is your own text, others come with it.'
    )


class Desktop(Section):
    """What the desktop does for the companion."""

    talk_key: Annotated[str, Field(pattern=r"^(((ctrl|alt|shift|super)\+)*[a-z0-9]+)?$")] = Field(
        default="",
        description='Keys that open the ears wherever you are on the desktop, as "ctrl+alt+space": hold them and talk, '
        "or tap them. Empty: none.",
    )


class Log(Section):
    level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="How much goes into the log."
    )
    private_text: bool = Field(default=False, description="Whether the log may hold what was said.")


class Settings(Section):
    """All settings. Every one has a default, so an empty file is a good file."""

    general: General = General()
    sound: Sound = Sound()
    wake: Wake = Wake()
    turn: Turn = Turn()
    models: Models = Models()
    cloud: Cloud = Cloud()
    history: History = History()
    memory: Memory = Memory()
    knowledge: Knowledge = Knowledge()
    plugins: Plugins = Plugins()
    personality: WhoItIs = WhoItIs()
    desktop: Desktop = Desktop()
    log: Log = Log()
