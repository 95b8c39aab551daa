"""Models that run on this machine, each on a worker of its own."""
