"""The desk of the voices: which there are for which language, and how each sounds."""

from __future__ import annotations

from collections.abc import Callable

from companion.agent.agent import said_at_once
from companion.app.desks.work import Work
from companion.app.events import Telling
from companion.app.loan import Borrow, nobody_has_them
from companion.app.minding.desks import Given, Row
from companion.app.models import ModelRoom, only_file
from companion.app.orders import is_text
from companion.catalog.manifest import Kind, Manifest
from companion.errors import BadInput
from companion.settings.language import AUTO, primary
from companion.stream import Stream
from companion.stream.threads import finish_in_thread
from companion.voice.contract import Mouth
from companion.voice.speech import SpeechCutter

TRY = "voices.try"
LONGEST = 500
"""Characters that are said to try a voice."""
SLOWEST, FASTEST = 0.5, 2.0


class VoicesDesk:
    """Implements ``Desk``.

    room: the shelf, and what the settings say now; may block. borrow: gets the loudspeaker from the conversation.
    mouth: makes the loudspeaker; None for that of the settings.
    """

    actions = ("list", "try", "stop")

    def __init__(
        self,
        room: Callable[[], ModelRoom],
        telling: Telling,
        *,
        borrow: Borrow = nobody_has_them,
        mouth: Callable[[], Mouth] | None = None,
    ) -> None:
        self._room = room
        self._borrow = borrow
        self._mouth = mouth
        self._work = Work(telling)

    async def perform(self, action: str, given: Given) -> Row:
        """``list``; ``try`` to say ``text`` in the voice of ``name`` ("" or "auto": the one in use) at a ``speed``;
        ``stop`` that. The end of a try is told as that of the task "voices.try".
        """
        if action == "stop":
            await self._work.cancel(TRY)
            return {}
        room = await finish_in_thread(self._room)
        if action == "try":
            await self._try(room, given)
            return {"task": TRY}
        return await finish_in_thread(lambda: _list(room))

    async def close(self) -> None:
        """Fall silent."""
        await self._work.close()

    async def _try(self, room: ModelRoom, given: Given) -> None:
        text, speed = given.text("text").strip(), given.fraction("speed", room.settings.models.speed)
        if not text or len(text) > LONGEST or not is_text(text):
            raise BadInput("the text is empty, too long or broken", mend=f"Up to {LONGEST} characters.")
        if not SLOWEST <= speed <= FASTEST:
            raise BadInput(f"the speed is {speed:g}", mend=f"It goes from {SLOWEST:g} to {FASTEST:g}.")
        manifest = await finish_in_thread(lambda: _wanted(room, given.text("name", "")))
        await self._work.cancel(TRY)
        self._work.start(TRY, lambda: self._said(room, manifest, text, speed))

    async def _said(self, room: ModelRoom, manifest: Manifest, text: str, speed: float) -> str:
        from companion.providers.local.piper import PiperSynthesiser

        folder = await finish_in_thread(lambda: room.shelf.folder(manifest.name))
        language = manifest.languages[0]
        voice = PiperSynthesiser(
            {language: only_file(folder, manifest, ".onnx")}, language=language, speed=speed, threads=room.threads
        )
        try:
            sound = await voice.transform(await SpeechCutter(language).transform(said_at_once(text, language)))
            await self._played(room, sound)
        finally:
            await voice.close()
        return ""

    async def _played(self, room: ModelRoom, sound: Stream) -> None:
        if self._mouth is not None:
            await self._mouth().play(sound, on_first_sound=lambda: None)
            return
        from companion.app.trials.equipment import Equipment
        from companion.audio.devices import Devices

        equipment = Equipment(room.settings.sound, Devices(), self._borrow)
        async with equipment.borrow(), equipment.mouth() as mouth:
            await mouth.play(sound, on_first_sound=lambda: None)


def _wanted(room: ModelRoom, name: str) -> Manifest:
    """Raises UnknownModel, BadInput and ModelMissing."""
    if name in ("", AUTO):
        return room.manifest(Kind.VOICE)
    manifest = room.shelf.manifest(name)
    if manifest.kind is not Kind.VOICE:
        raise BadInput(f"{name} is no voice", mend="Choose a voice.")
    return manifest


def _list(room: ModelRoom) -> Row:
    voices = [manifest for manifest in room.shelf.manifests.values() if manifest.kind is Kind.VOICE]
    return {
        "voices": [
            {
                "name": voice.name,
                "title": voice.title,
                "note": voice.note,
                "languages": list(voice.languages),
                "bytes": voice.bytes,
                "on_shelf": room.shelf.has(voice.name),
                "speaks": room.language == AUTO or voice.speaks(room.language),
            }
            for voice in voices
        ],
        "chosen": room.settings.models.voice,
        "speed": room.settings.models.speed,
        "language": room.language,
        "languages": sorted({primary(one) for voice in voices for one in voice.languages}),
    }
