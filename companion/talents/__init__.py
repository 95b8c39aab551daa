"""What the companion can do without a model, one file each."""
