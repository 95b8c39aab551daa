"""Devices by name, and every way PortAudio says no."""

from __future__ import annotations

import os

import pytest
from doubles.portaudio import FakeLibrary, PortAudioError, devices_of, loudspeaker_named, microphone_named

from companion.audio.devices import Devices, Direction, Opening
from companion.audio.portaudio import PortAudio, SoundLibrary
from companion.audio.pulse import ServerDevice
from companion.errors import DeviceError, NoMicrophone, NoSoundServer, NoSpeaker

OPENING = Opening(0.02, 0.04, lambda *_: None, lambda: None)


def room() -> FakeLibrary:
    return FakeLibrary(
        [microphone_named("HDA Intel: Analog"), microphone_named("Blue Yeti: USB Audio"), loudspeaker_named("HDMI")]
    )


def test_the_default_is_first_and_taken_when_no_name_is_given() -> None:
    devices = devices_of(room())

    assert [device.name for device in devices.all(Direction.INPUT)] == ["HDA Intel: Analog", "Blue Yeti: USB Audio"]
    assert devices.choose(Direction.INPUT, "").name == "HDA Intel: Analog"
    assert devices.choose(Direction.INPUT, "").is_default


@pytest.mark.parametrize("name", ["Blue Yeti: USB Audio", "Yeti", "blue yeti", "USB"])
def test_a_device_is_chosen_by_its_name_or_a_part_of_it_in_any_case(name: str) -> None:
    assert devices_of(room()).choose(Direction.INPUT, name).name == "Blue Yeti: USB Audio"


def test_a_whole_name_wins_over_a_part_of_an_earlier_one() -> None:
    library = FakeLibrary([microphone_named("USB Audio 2"), microphone_named("USB Audio")])

    assert devices_of(library).choose(Direction.INPUT, "USB Audio").name == "USB Audio"


def test_a_name_that_is_not_there_is_told_with_a_mend() -> None:
    with pytest.raises(NoMicrophone, match="'Jabra'") as caught:
        devices_of(room()).choose(Direction.INPUT, "Jabra")
    assert "companion devices" in caught.value.mend
    with pytest.raises(NoSpeaker):
        devices_of(FakeLibrary([microphone_named("a")])).choose(Direction.OUTPUT, "")


def test_a_missing_portaudio_is_told_with_the_line_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "sounddevice", None)

    with pytest.raises(NoSoundServer, match="PortAudio is not installed") as caught:
        Devices(PortAudio(), on_server=lambda kind: None).all(Direction.INPUT)
    assert "libportaudio2" in caught.value.mend


def test_no_device_at_all_means_no_sound_server() -> None:
    with pytest.raises(NoSoundServer) as caught:
        devices_of(FakeLibrary()).all(Direction.INPUT)
    assert "PulseAudio" in caught.value.mend


def test_a_sound_system_that_does_not_answer_is_told() -> None:
    class Dead(FakeLibrary):
        def query_devices(self) -> list[dict[str, object]]:
            raise PortAudioError("Error querying device", -10000)

    with pytest.raises(NoSoundServer, match="does not answer"):
        devices_of(Dead()).all(Direction.INPUT)


def test_a_refused_rate_leads_to_the_next_one() -> None:
    library = FakeLibrary([microphone_named("old", rate=48_000)], rates=(44_100,))
    devices = devices_of(library)

    opened = devices.open(Direction.INPUT, devices.choose(Direction.INPUT, ""), OPENING)

    assert (opened.rate, opened.block, opened.channels) == (44_100, 882, 1)


def test_a_device_that_takes_no_known_rate_is_told() -> None:
    devices = devices_of(FakeLibrary([microphone_named("odd")], rates=(12_345,)))

    with pytest.raises(DeviceError, match="Invalid sample rate"):
        devices.open(Direction.INPUT, devices.choose(Direction.INPUT, ""), OPENING)


def test_a_device_that_is_stereo_only_is_opened_in_stereo() -> None:
    library = FakeLibrary([microphone_named("stereo", channels=2)])
    library.faults = [PortAudioError("Invalid number of channels", -9998)]
    devices = devices_of(library)

    assert devices.open(Direction.INPUT, devices.choose(Direction.INPUT, ""), OPENING).channels == 2


def test_a_busy_device_is_told_apart_from_one_that_has_gone() -> None:
    library = room()
    devices = devices_of(library)
    device = devices.choose(Direction.INPUT, "")
    library.faults = [PortAudioError("Device unavailable", -9985), PortAudioError("Invalid device", -9996)]

    with pytest.raises(DeviceError, match="in use by another program"):
        devices.open(Direction.INPUT, device, OPENING)
    with pytest.raises(NoMicrophone, match="not there"):
        devices.open(Direction.INPUT, device, OPENING)


def test_a_new_device_is_seen_after_a_refresh_which_waits_for_open_streams() -> None:
    library = room()
    devices = devices_of(library)
    opened = devices.open(Direction.INPUT, devices.choose(Direction.INPUT, ""), OPENING)
    library.devices.append(microphone_named("Jabra"))

    assert not devices.refresh()
    devices.close(opened)
    assert devices.refresh()
    assert devices.choose(Direction.INPUT, "Jabra").name == "Jabra"


def test_a_sound_system_that_would_not_start_is_started_when_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    library = room()
    devices = devices_of(library)
    starts = [False]

    def initialize() -> None:
        starts.append(len(starts) > 1)
        if not starts[-1]:
            raise PortAudioError("Error initializing PortAudio: Unanticipated host error", -9999)

    def terminate() -> None:
        if not starts[-1] and len(starts) > 1:
            raise PortAudioError("Error terminating PortAudio: PortAudio not initialized", -10000)

    monkeypatch.setattr(library, "_initialize", initialize)
    monkeypatch.setattr(library, "_terminate", terminate)
    with pytest.raises(NoSoundServer):
        devices.refresh()
    assert devices.refresh()


def test_a_stream_that_does_not_start_is_closed_again() -> None:
    library = room()
    devices = devices_of(library)

    class Stuck(FakeLibrary):
        pass

    original = library._open

    def open_stuck(settings: dict[str, object]) -> object:
        stream = original(settings)

        def refuse() -> None:
            raise PortAudioError("Unanticipated host error", -9999)

        stream.start = refuse  # type: ignore[method-assign]
        return stream

    library._open = open_stuck  # type: ignore[assignment, method-assign]
    with pytest.raises(DeviceError):
        devices.open(Direction.INPUT, devices.choose(Direction.INPUT, ""), OPENING)
    assert devices.refresh()


def with_server(library: SoundLibrary, *known: ServerDevice) -> Devices:
    return Devices(PortAudio(lambda: library), on_server=lambda kind: list(known))


def test_a_sound_server_is_preferred_and_its_devices_go_by_the_names_people_see() -> None:
    library = FakeLibrary([microphone_named("hw:0", 44_100), microphone_named("pulse", 44_100)])
    devices = with_server(library, ServerDevice("alsa_input.yeti", "Blue Yeti", is_default=True))

    assert [(d.name, d.rate, d.is_default) for d in devices.all(Direction.INPUT)] == [
        ("pulse", 48_000, True),
        ("Blue Yeti", 48_000, False),
        ("hw:0", 44_100, False),
    ]


def test_a_device_of_the_server_is_pinned_only_while_it_opens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PULSE_SOURCE", raising=False)
    seen = []

    class Watching(FakeLibrary):
        def RawInputStream(self, **settings: object) -> object:  # type: ignore[override]  # noqa: N802
            seen.append(os.environ.get("PULSE_SOURCE"))
            return super().RawInputStream(**settings)

    devices = with_server(Watching([microphone_named("pulse")]), ServerDevice("alsa_input.yeti", "Yeti", False))
    devices.open(Direction.INPUT, devices.choose(Direction.INPUT, "yeti"), OPENING)

    assert seen == ["alsa_input.yeti"]
    assert "PULSE_SOURCE" not in os.environ


def test_a_server_with_nothing_but_monitors_has_no_microphone() -> None:
    devices = with_server(FakeLibrary([microphone_named("pulse")]))

    with pytest.raises(NoMicrophone):
        devices.choose(Direction.INPUT, "")


def test_a_device_that_left_the_server_is_missed() -> None:
    known = [ServerDevice("a", "Yeti", False), ServerDevice("b", "Webcam", True)]
    devices = Devices(PortAudio(lambda: FakeLibrary([microphone_named("pulse")])), on_server=lambda kind: known)
    yeti, default = devices.choose(Direction.INPUT, "Yeti"), devices.choose(Direction.INPUT, "")
    del known[0]

    assert not devices.is_there(Direction.INPUT, yeti)
    assert devices.is_there(Direction.INPUT, default)
    known.clear()
    assert not devices.is_there(Direction.INPUT, default)
