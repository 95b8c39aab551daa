"""Times as they are spoken, in English and Chinese: one grammar for what is told and for what is asked."""
