"""companion: a voice companion that runs at home and keeps what it hears there."""

__version__ = "0.1.0"
