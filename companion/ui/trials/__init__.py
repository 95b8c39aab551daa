"""Cards on which microphone, loudspeaker, echo and wake word are tried; the sound page and the wizard show them."""
