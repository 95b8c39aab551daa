"""Grammars of making pictures: a prompt out, pictures or a task in. No sockets, clocks or retries."""

from companion.dialects.images.contract import ImageDialect, ImageTask
from companion.dialects.images.registry import choose_image_dialect, image_dialects, register_image_dialect

__all__ = [
    "ImageDialect",
    "ImageTask",
    "choose_image_dialect",
    "image_dialects",
    "register_image_dialect",
]
