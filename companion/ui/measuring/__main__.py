"""``python -m companion.ui.measuring scroll|pan|live``: measures one thing, and prints it as JSON on the last line."""

from __future__ import annotations

import argparse
import json
import sys


def main() -> int:
    parser = argparse.ArgumentParser(prog="companion.ui.measuring")
    parser.add_argument("what", choices=("scroll", "pan", "live"))
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--began", type=float, default=0.0)
    parser.add_argument("--windows", type=int, default=0)
    wanted = parser.parse_args()
    if wanted.what == "live":
        from companion.app.paths import Paths
        from companion.ui.measuring.living import Living, as_document

        paths = Paths.here()
        paths.prepare()
        seconds = wanted.seconds if wanted.windows else 0.0
        _tell(as_document(Living(wanted.began, seconds, wanted.windows).live(paths)))
        return 0
    from companion.settings.schema import Settings
    from companion.ui.measuring.moving import pan, scroll
    from companion.ui.run import application

    application(Settings())
    _tell({"steps": (scroll if wanted.what == "scroll" else pan)(wanted.seconds)})
    return 0


def _tell(document: object) -> None:
    sys.stdout.write(json.dumps(document) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
