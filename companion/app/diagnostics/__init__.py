"""What somebody who helps needs to know of this companion, without anything that was said, and without names."""
