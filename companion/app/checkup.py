"""All that the doctor looks at, in the order a person mends it."""

from __future__ import annotations

from companion.app.checks import house_checks
from companion.app.doctor import Check
from companion.app.model_checks import model_checks
from companion.app.models import ModelRoom
from companion.app.paths import Paths
from companion.app.shelf import build_shelf
from companion.app.sound_checks import sound_checks
from companion.audio.devices import Devices
from companion.errors import SettingsError
from companion.settings.schema import Settings
from companion.settings.store import SettingsStore


def checkup(paths: Paths, *, with_sound: bool = True) -> list[Check]:
    """Every check of this machine.

    with_sound: also listen to the microphone and look for the loudspeaker.

    Raises:
        BadManifest: the manifests that came with the program are broken.
    """
    try:
        settings = SettingsStore(paths.settings_file).check()
    except SettingsError:  # found, and told, by the check of the settings
        settings = Settings()
    room = ModelRoom.of(settings, paths, build_shelf(paths.shelf))
    heard = sound_checks(settings.sound, Devices()) if with_sound else []
    return [*house_checks(paths), *model_checks(room), *heard]
