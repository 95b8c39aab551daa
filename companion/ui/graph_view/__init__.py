"""The graph of what is remembered, as a picture that can be moved, zoomed and walked through. Nothing here knows Qt but
``brush``, ``tiles``, ``names``, ``view`` and ``time_strip``.
"""
