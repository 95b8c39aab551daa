"""Trials of microphone and loudspeaker: how loud, how it sounds, whether the echo goes, whether a name is heard."""
