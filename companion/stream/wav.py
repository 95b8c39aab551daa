"""Sound as a file in memory."""

from __future__ import annotations

import io


def wav(data: bytes, rate: int, channels: int = 1) -> bytes:
    """A WAV file of 16-bit PCM. rate: in hertz, of each channel."""
    import wave

    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setnchannels(channels)
        writer.setsampwidth(2)
        writer.setframerate(rate)
        writer.writeframes(data)
    return file.getvalue()
