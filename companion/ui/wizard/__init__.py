"""The first steps: seven pages that lead from a new home to a first conversation."""
