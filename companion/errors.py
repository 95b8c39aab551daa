"""Every error of the house, in one tree.

::

    CompanionError                  message, mend, exit_status
    +- BadInput                     a file, line or field a person can mend (exit status 2)
    |  +- SettingsError             file, line, field
    |  +- SoundFileError            file
    |  +- RuleError                 file, rule
    |  +- PatternError              pattern: none, or taken
    |  +- BadName                   name: cannot be the name of anything
    |  +- ModelConfigError          file, field
    +- StreamError
    |  +- EndOfStream               the normal end, raised by ``next``
    |  +- StreamBusy                a second reader
    |  +- StreamClosed              a write after the end
    |  +- StreamBlocked             the model refused; ``refusal`` says why
    |  +- StreamInterrupted         closed by its reader, or barged in on
    |  +- StreamFailed              broke; the cause is chained
    |  +- RouteError                begins and ends that do not pair up
    |  +- ResponseActive            a second response under one stream id
    |  +- InactiveResponse          more for a response that has ended or is another's
    |  +- OutputLimit               more is waiting to be read than may
    |  +- LawBroken                 found by the examination in ``stream.laws``
    +- ModelError                   retryable
    |  +- ModelMissing              not on the shelf
    |  +- ModelBroken               on the shelf, but does not load (2)
    |  +- ModelDied                 stopped answering
    |  +- Unsupported               this model cannot carry that part
    |  +- Unreachable               was_sent: the provider is not there, or the line broke (retryable)
    |  +- Throttled                 after: it wants to be asked later (retryable)
    |  +- ProviderFailed            status: its own fault (retryable)
    |  +- Refused                   status: it does not serve this request
    |  |  +- ContextTooLong         needed, room
    |  +- WireBroken                it sent what its protocol does not know, or stopped in the middle (retryable)
    |  +- OverBudget                the user's own limit is reached; nothing was sent
    |  +- MissingKey                no key for the provider; nothing was sent (2)
    |  +- InvalidAnswer             field: the answer does not fit the schema
    |  +- NobodyAnswered            failures: each of several backends was asked in vain
    |  +- NotRegistered             name: no pattern matches it
    +- ToolError                    tool
    |  +- BadTool                   a declaration that cannot be used
    |  +- UnknownTool               a model called what was not offered
    |  +- BadArguments              field: not what the tool's schema asks for
    |  +- ToolFailed                the tool's own fault; the cause is chained
    |  +- ToolTimeout               took longer than its limit; also a TimeoutError
    |  +- ToolDenied                whoever was asked did not allow the call
    |  +- DuplicateCall             a call id came twice
    |  +- TooManyCalls              the calls of one turn are used up
    +- ShelfError
    |  +- UnknownModel              no manifest of that name (exit status 2)
    |  +- BadManifest               file, field (exit status 2)
    |  +- ChecksumMismatch          bytes are not what the manifest says (2)
    |  +- DiskFull                  needed, free (bytes)
    |  +- SourceUnreachable         retryable
    +- DeviceError                  retryable
    |  +- NoSoundServer             PortAudio or its server is not there
    |  +- NoMicrophone
    |  +- NoSpeaker
    |  +- DeviceLost                was open, went away
    +- StorageError                 file: could not be read or written
    |  +- NewerFile                 written by a newer companion (2)
    |  +- KeptForLater              not stored yet; it will be when there is room
    +- MemoryFault
    |  +- MemoryBusy                too much waits already
    |  +- FactRefused               a secret, or more than may be stored
    |  +- UnknownEntity             name: nothing is known under it
    |  +- MergeRefused              the two cannot be merged, or a merge cannot be undone
    |  +- PurgeRefused              it does not say what is to be forgotten
    +- KnowledgeError
    |  +- FileUnreadable            its text cannot be taken out
    |  +- KnowledgeExists           name: taken already
    +- SessionError                 a conversation file that cannot be used
    +- ControlError
    |  +- NotRunning                no companion owns this data folder
    |  +- AlreadyRunning            another companion owns it
    +- SetupError                   a library or system package is missing
    +- PluginError                  plugin
    |  +- StageRefused              stage, field: a stage does not grant what a handler did
    |  +- PermissionDenied          permission: the plugin was not granted it
"""

from __future__ import annotations

from typing import ClassVar


class CompanionError(Exception):
    """The root. ``str(error)`` is one line; ``mend`` tells a person what to do next."""

    exit_status: ClassVar[int] = 1

    def __init__(self, message: str, *, mend: str = "") -> None:
        super().__init__(message)
        self.mend = mend


def one_line(error: BaseException) -> str:
    """``error`` in one line; many exceptions of libraries have several, or no words of their own."""
    return " ".join(str(error).split()) or type(error).__name__


def reason_of(error: BaseException) -> str:
    """What the system says of ``error``, without its number and the file; else all it says."""
    return (error.strerror if isinstance(error, OSError) else None) or one_line(error)


class BadInput(CompanionError):
    """What a person gave cannot be used; the message names the file, line or field."""

    exit_status = 2


class SettingsError(BadInput):
    """A setting cannot be used."""

    def __init__(
        self, message: str, *, file: str = "", line: int | None = None, field: str = "", mend: str = ""
    ) -> None:
        super().__init__(message, mend=mend)
        self.file = file
        self.line = line
        self.field = field


class SoundFileError(BadInput):
    """A sound file cannot be read or written."""

    def __init__(self, message: str, *, file: str, mend: str = "") -> None:
        super().__init__(message, mend=mend)
        self.file = file


class RuleError(BadInput):
    """A file of command rules cannot be used."""

    def __init__(self, message: str, *, file: str, rule: str = "", mend: str = "") -> None:
        super().__init__(message, mend=mend)
        self.file = file
        self.rule = rule


class PatternError(BadInput):
    """Nothing can be registered under this pattern: it is none, or it is taken."""

    def __init__(self, message: str, *, pattern: str, mend: str = "") -> None:
        super().__init__(message, mend=mend)
        self.pattern = pattern


class BadName(BadInput):
    """``name`` cannot name anything: it is empty, too long, or would lead somewhere else."""

    def __init__(self, message: str, *, name: str, mend: str = "") -> None:
        super().__init__(message, mend=mend)
        self.name = name


class ModelConfigError(BadInput):
    """A file that configures models cannot be used; ``field`` is a path as ``models[0].name``."""

    def __init__(self, message: str, *, file: str, field: str = "", mend: str = "") -> None:
        super().__init__(message, mend=mend)
        self.file = file
        self.field = field


class StreamError(CompanionError):
    """Something about a stream."""


class EndOfStream(StreamError):
    """The stream ended normally. Iteration turns it into the end of the loop."""

    def __init__(self, message: str = "the stream has ended") -> None:
        super().__init__(message)


class StreamBusy(StreamError):
    """A second reader called ``next`` while the first was still waiting."""


class StreamClosed(StreamError):
    """A writer wrote after the end, or to a reader that has gone."""


class StreamBlocked(StreamError):
    """The model refused to go on."""

    def __init__(self, refusal: str) -> None:
        super().__init__(f"the model refused: {refusal}")
        self.refusal = refusal


class StreamInterrupted(StreamError):
    """The stream was closed by its reader before it ended."""

    def __init__(self, message: str = "the stream was interrupted") -> None:
        super().__init__(message)


class StreamFailed(StreamError):
    """The stream broke. ``__cause__`` is what broke it."""


class RouteError(StreamError):
    """A begin or end that does not pair up; the message names stream id and channel."""


class ResponseActive(StreamError):
    """A response was started under a stream id whose response has not ended."""


class InactiveResponse(StreamError):
    """More was emitted for a response that has ended, was interrupted, or belongs to another invocation."""


class OutputLimit(StreamError):
    """More waits to be read than a growing buffer may hold; the message names the bound."""


class LawBroken(StreamError):
    """A Stream or Transformer failed its examination; the message names the law."""


class ModelError(CompanionError):
    """Something about a model."""

    def __init__(self, message: str, *, mend: str = "", retryable: bool = False) -> None:
        super().__init__(message, mend=mend)
        self.retryable = retryable


class ModelMissing(ModelError):
    """The model is not on the shelf."""


class ModelBroken(ModelError):
    """The model is on the shelf but cannot be used: its bytes are wrong, or its library cannot load it."""

    exit_status = 2


class ModelDied(ModelError):
    """The model stopped answering while it was working."""


class Unsupported(ModelError):
    """This model cannot carry that part. Raised before any work starts."""


class Unreachable(ModelError):
    """The provider could not be reached, or the line to it broke; ``was_sent``: when the question had left."""

    def __init__(self, message: str, *, mend: str = "", retryable: bool = True, was_sent: bool = False) -> None:
        super().__init__(message, mend=mend, retryable=retryable)
        self.was_sent = was_sent


class Throttled(ModelError):
    """The provider wants to be asked later; ``after``: in so many seconds, None where it does not say."""

    def __init__(self, message: str, *, after: float | None = None, mend: str = "") -> None:
        super().__init__(message, mend=mend, retryable=True)
        self.after = after


class ProviderFailed(ModelError):
    """The provider says that it failed; ``status``: of HTTP, 0 where it said so within an answer."""

    def __init__(self, message: str, *, status: int = 0, mend: str = "", retryable: bool = True) -> None:
        super().__init__(message, mend=mend, retryable=retryable)
        self.status = status


class Refused(ModelError):
    """The provider does not serve this request: a wrong key, an unknown model, a wrong field."""

    def __init__(self, message: str, *, status: int = 0, mend: str = "") -> None:
        super().__init__(message, mend=mend)
        self.status = status


class ContextTooLong(Refused):
    """The question needs more tokens than the model reads; both 0 where nobody says."""

    def __init__(self, message: str, *, needed: int = 0, room: int = 0, status: int = 0, mend: str = "") -> None:
        super().__init__(message, status=status, mend=mend)
        self.needed = needed
        self.room = room


class WireBroken(ModelError):
    """The provider sent what its protocol does not know, or stopped in the middle."""

    def __init__(self, message: str, *, mend: str = "ask again", retryable: bool = True) -> None:
        super().__init__(message, mend=mend, retryable=retryable)


class OverBudget(ModelError):
    """The user's own limit of cost or tokens is reached; nothing was sent."""


class MissingKey(ModelError):
    """There is no key for the provider; nothing was sent."""

    exit_status = 2


class NobodyAnswered(ModelError):
    """Several backends were asked in vain; ``failures``: the last one of each, by its name, in the order of asking."""

    def __init__(self, failures: tuple[tuple[str, Exception], ...], *, mend: str = "") -> None:
        said = "; ".join(f"{name}: {one_line(error)}" for name, error in failures)
        retryable = any(is_retryable(error) for _, error in failures)
        super().__init__(f"nobody answered. {said}", mend=mend, retryable=retryable)
        self.failures = failures


def is_retryable(error: BaseException | None) -> bool:
    """Whether asking again may help: it came too late, or says so itself."""
    return isinstance(error, TimeoutError) or (isinstance(error, ModelError) and error.retryable)


class NotRegistered(ModelError):
    """Nothing is registered that serves ``name``."""

    def __init__(self, message: str, *, name: str, mend: str = "") -> None:
        super().__init__(message, mend=mend)
        self.name = name


class ToolError(CompanionError):
    """Something about a tool a model may call. ``tool`` is its name."""

    def __init__(self, message: str, *, tool: str, mend: str = "") -> None:
        super().__init__(message, mend=mend)
        self.tool = tool


class BadTool(ToolError):
    """A tool cannot be offered as it is declared."""


class UnknownTool(ToolError):
    """A call names a tool that was not offered, or one that can only be declared."""


class BadArguments(ToolError):
    """The arguments of a call are not what the tool's schema asks for; ``field`` is the place ("stops[0].city")."""

    def __init__(self, message: str, *, tool: str, field: str = "", mend: str = "") -> None:
        super().__init__(message, tool=tool, mend=mend)
        self.field = field


class ToolFailed(ToolError):
    """A tool broke while it worked, or returned what JSON cannot carry. ``__cause__`` is what broke it."""


class ToolTimeout(ToolError, TimeoutError):
    """A call took longer than its limit; what it may still return is dropped."""


class ToolDenied(ToolError):
    """Whoever was asked did not allow the call; nothing has run."""


class DuplicateCall(ToolError):
    """A call id came a second time; the second call is not run."""


class TooManyCalls(ToolError):
    """A turn has used up its calls; this one is not run."""


ASK_AGAIN = "ask again, or ask a larger model"


class InvalidAnswer(ModelError):
    """The model's answer is no JSON, or does not fit the schema it was asked for.

    ``field`` is the place in the answer ("entities[0].label"), empty for the whole. The message repeats nothing
    of what was said.
    """

    def __init__(self, message: str, *, field: str = "", mend: str = ASK_AGAIN, retryable: bool = False) -> None:
        super().__init__(message, mend=mend, retryable=retryable)
        self.field = field


class ShelfError(CompanionError):
    """Something about the model shelf."""


class UnknownModel(ShelfError):
    """No manifest has that name."""

    exit_status = 2


class BadManifest(ShelfError):
    """A model manifest cannot be used; the message names file and field."""

    exit_status = 2


class ChecksumMismatch(ShelfError):
    """The bytes are not the ones the manifest vouches for."""

    exit_status = 2


class DiskFull(ShelfError):
    """Not enough room. ``needed`` and ``free`` are bytes."""

    def __init__(self, message: str, *, needed: int, free: int, mend: str = "") -> None:
        super().__init__(message, mend=mend)
        self.needed = needed
        self.free = free


class SourceUnreachable(ShelfError):
    """A source of a model file did not deliver it."""

    def __init__(self, message: str, *, mend: str = "", retryable: bool = True) -> None:
        super().__init__(message, mend=mend)
        self.retryable = retryable


class DeviceError(CompanionError):
    """Something about a microphone or a loudspeaker."""

    def __init__(self, message: str, *, mend: str = "", retryable: bool = True) -> None:
        super().__init__(message, mend=mend)
        self.retryable = retryable


class NoSoundServer(DeviceError):
    """PortAudio, or the sound server behind it, is not there."""


class NoMicrophone(DeviceError):
    """There is no microphone, or not the one that was asked for."""


class NoSpeaker(DeviceError):
    """There is no loudspeaker, or not the one that was asked for."""


class DeviceLost(DeviceError):
    """A device that was open has gone away."""


class StorageError(CompanionError):
    """A file of the user's could not be read or written: a full disk, a missing permission."""

    def __init__(self, message: str, *, file: str, mend: str = "") -> None:
        super().__init__(message, mend=mend)
        self.file = file


class NewerFile(StorageError):
    """A newer companion has written the file; this one would spoil it."""

    exit_status = 2


class KeptForLater(StorageError):
    """This could not be stored; it is kept in memory and will be stored when the disk lets us."""


class MemoryFault(CompanionError):
    """Something about what the companion remembers; what is stored is as it was."""


class MemoryBusy(MemoryFault):
    """Too much waits to be stored or recalled; nothing of this was done."""


class FactRefused(MemoryFault):
    """This is not stored as a fact: it is a secret, or more than may be stored. The message repeats nothing of it."""


class UnknownEntity(MemoryFault):
    """Nothing is known under ``name``."""

    def __init__(self, message: str, *, name: str, mend: str = "") -> None:
        super().__init__(message, mend=mend)
        self.name = name


class MergeRefused(MemoryFault):
    """Two entities cannot be merged, or a merge can no longer be undone."""


class PurgeRefused(MemoryFault):
    """A purge does not say what is to be forgotten."""


class KnowledgeError(CompanionError):
    """Something about the user's own notes and documents."""


class FileUnreadable(KnowledgeError):
    """The text of a file cannot be taken out; the message says why and leaves the file's name to who tells of it."""


class KnowledgeExists(KnowledgeError):
    """There is knowledge under ``name`` already; it is as it was."""

    def __init__(self, message: str, *, name: str, mend: str = "") -> None:
        super().__init__(message, mend=mend)
        self.name = name


class SessionError(CompanionError):
    """A conversation file cannot be used."""


class ControlError(CompanionError):
    """Something about reaching a running companion."""


class NotRunning(ControlError):
    """No companion owns this data folder."""


class AlreadyRunning(ControlError):
    """Another companion owns this data folder."""


class SetupError(CompanionError):
    """A library or a system package is missing."""


class PluginError(CompanionError):
    """A plugin failed."""

    def __init__(self, message: str, *, plugin: str, mend: str = "") -> None:
        super().__init__(message, mend=mend)
        self.plugin = plugin


class StageRefused(PluginError):
    """A handler read or wrote what its stage does not grant; the message names both, and nothing was changed."""

    def __init__(self, message: str, *, plugin: str, stage: str, field: str, mend: str = "") -> None:
        super().__init__(message, plugin=plugin, mend=mend)
        self.stage = stage
        self.field = field


class PermissionDenied(PluginError):
    """A plugin wanted something that nobody has allowed it."""

    def __init__(self, message: str, *, plugin: str, permission: str, mend: str = "") -> None:
        super().__init__(message, plugin=plugin, mend=mend)
        self.permission = permission
