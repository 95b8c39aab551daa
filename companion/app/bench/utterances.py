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

LONG_REPLY: Final = "Tell me a long story about a small boat."
"""Has the model talk for a while."""
