"""The sentences in which the engine tells of troubles and of what helps, by what they are about."""
