"""Microphones, loudspeakers and what listens to raw sound. PortAudio lives only here."""
