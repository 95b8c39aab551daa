"""Scenes of the sound page, and the answers of its desk."""

from __future__ import annotations

from companion.app.events import Metered
from companion.ui.scenes.scene import page_scene
from companion.ui.scenes.settings_scenes import ANSWERS as SETTINGS

LISTED = {
    "microphone": {"wanted": "", "used": "", "problem": "", "mend": "", "names": ["Built-in microphone", "USB Audio"]},
    "speaker": {
        "wanted": "Kitchen",
        "used": "Kitchen",
        "problem": "",
        "mend": "",
        "names": ["Built-in audio", "Kitchen"],
    },
    "words": ["okay_nabu", "hey_jarvis", "hey_mycroft", "alexa"],
    "word": "okay_nabu",
    "percent": 50,
}
ANSWERS = {**SETTINGS, "sound.list": LISTED, "sound.level": {"on": True, "muted": False}}
UNPLUGGED = {
    **LISTED,
    "microphone": {
        "wanted": "USB Audio",
        "used": "",
        "problem": "there is no microphone named 'USB Audio'",
        "mend": "plug it in, or choose another",
        "names": ["Built-in microphone"],
    },
}
NOTHING = {"wanted": "", "used": "", "problem": "no sound system answers", "names": []}
SILENT = {
    **LISTED,
    "microphone": {**NOTHING, "mend": "start PulseAudio or PipeWire, or plug in a sound device"},
    "speaker": {**NOTHING, "mend": "start PulseAudio or PipeWire, or plug in a sound device"},
}

SCENES = (
    page_scene("settings/sound", "full", answers=ANSWERS, events=(Metered(-32.0),), size=(1000, 1300)),
    page_scene("settings/sound", "unplugged", answers={**SETTINGS, "sound.list": UNPLUGGED}),
    page_scene("settings/sound", "no-sound", answers={**SETTINGS, "sound.list": SILENT}),
)
