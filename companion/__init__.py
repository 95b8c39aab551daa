"""companion: a voice companion that runs at home and keeps what it hears there."""

import os

__version__ = "0.1.0"

# ONNX Runtime reports on its use to its makers unless this is set before it is first loaded.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
