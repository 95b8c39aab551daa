"""What is said to the companion in a bench: commands, questions, and sentences with a pause to think inside."""

from __future__ import annotations

from typing import Final

COMMANDS: Final = (
    "What time is it?",
    "Set a timer for ten minutes.",
    "What day is it today?",
    "How much is twelve times seven?",
    "Cancel the timer.",
    "What is the date?",
    "Set a timer for half an hour.",
    "How much time is left?",
    "What is fifteen percent of eighty?",
    "Cancel all timers.",
)
"""Rules understand these."""

QUESTIONS: Final = (
    "Why is the sky blue?",
    "What do bees do in winter?",
    "Who wrote Romeo and Juliet?",
    "How do I boil an egg?",
    "What is the largest animal in the sea?",
    "Can you tell me a short story?",
    "What should I read next?",
    "Why do leaves turn red in autumn?",
    "How far away is the moon?",
    "What makes bread rise?",
)
"""The model answers these."""

PAUSED: Final = (
    "I would like to know, how long it takes to bake a potato.",
    "Can you tell me, what I should wear when it is cold outside?",
    "If I plant tomatoes in spring, when can I eat the first ones?",
    "My sister is coming to visit, what could we cook together?",
    "There is one thing I never understood, why do cats like boxes?",
)
"""The pause goes to the comma."""

STOP: Final = "Stop."

OVER_REPLY: Final = (
    "Wait a moment, I have another question.",
    "Hold on, what is the weather like today?",
    "No, I meant the other one, please.",
)
"""Said over a reply."""

LONG_TEXT: Final = (
    "Once there was a small boat that lay on the shore of a wide lake. Every morning an old man came down the path, "
    "looked at the sky, and pushed it into the water. He rowed past the island with the three birches, where the "
    "herons stand, and far out he let the oars rest and listened. Some days the wind sang in the reeds, some days a "
    "train went by behind the hills, and on the best days there was nothing at all to hear. Then he took out his "
    "bread, gave the crumbs to the fish, and told the boat what had happened in the village since yesterday. The boat "
    "had heard many stories in that way, and it remembered every one of them. In winter, when snow lay on the planks, "
    "it told them to the ice, and the ice, which is slow but patient, kept them until spring."
)
"""About three quarters of a minute of a voice, to be interrupted."""
