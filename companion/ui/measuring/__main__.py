"""``python -m companion.ui.measuring scroll|pan|start|idle``: measures one thing, and prints it as a line of JSON.
Lines before that tell how far it is.
"""

from __future__ import annotations

import argparse
import json
import sys


def main() -> int:
    parser = argparse.ArgumentParser(prog="companion.ui.measuring")
    parser.add_argument("what", choices=("scroll", "pan", "start", "idle"))
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--began", type=float, default=0.0)
    parser.add_argument("--windows", type=int, default=1)
    parser.add_argument("--ready", type=float, default=5.0)
    wanted = parser.parse_args()
    if wanted.what in ("start", "idle"):
        from companion.app.paths import Paths
        from companion.ui.measuring.living import Living, as_document

        paths = Paths.here()
        paths.prepare()
        windows = wanted.windows if wanted.what == "idle" else 0
        living = Living(wanted.began, wanted.seconds, windows, ready=wanted.ready, tell=_tell)
        _tell(json.dumps(as_document(living.live(paths))))
        return 0
    from companion.settings.schema import Settings
    from companion.ui.measuring.moving import pan, scroll
    from companion.ui.run import application

    application(Settings())
    _tell(json.dumps({"steps": (scroll if wanted.what == "scroll" else pan)(wanted.seconds)}))
    return 0


def _tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
