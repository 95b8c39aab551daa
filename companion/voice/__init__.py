"""Who speaks when: the turn machine, the loop around it, and text on its way to speech."""
