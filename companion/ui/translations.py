"""The language of the window: the files that Qt's own tools make of ``assets/translations``, and which is worn."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from companion.app.paths import bundled

ENGLISH, CHINESE = "en", "zh_CN"
LANGUAGES = (ENGLISH, CHINESE)
"""What the window can speak. English needs no file."""

_worn: list[QTranslator] = []


def folder() -> Path:
    """Where the files are."""
    return bundled("assets") / "translations"


def window_language(spoken: str) -> str:
    """The language of the window, from that of the settings; where they leave it open, the desktop's."""
    wanted = QLocale.system().name() if spoken in ("", "auto") else spoken
    return CHINESE if wanted.replace("-", "_").lower().split("_")[0] in ("zh", "cmn") else ENGLISH


def speak(language: str) -> None:
    """Let all texts that are made from now on be in ``language``, Qt's own as well."""
    while _worn:
        taken_off = _worn.pop()
        QCoreApplication.removeTranslator(taken_off)
        taken_off.deleteLater()
    QLocale.setDefault(QLocale(language))
    if language == ENGLISH:
        _wear(f"companion_{ENGLISH}", folder())  # its plurals
        return
    _wear(f"qtbase_{language}", Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)))
    _wear(f"companion_{language}", folder())


def worn() -> str:
    """The language that is worn now, as ``speak`` was told."""
    return CHINESE if QLocale().language() is QLocale.Language.Chinese else ENGLISH


def _wear(name: str, where: Path) -> None:
    translator = QTranslator(QCoreApplication.instance())
    if translator.load(name, str(where)):
        QCoreApplication.installTranslator(translator)
        _worn.append(translator)
    else:
        translator.deleteLater()
