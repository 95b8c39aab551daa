"""Numbers, lengths of time and moments as people say them, in English and Chinese."""
