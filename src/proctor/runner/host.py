"""Facts of this machine that a record holds."""

from __future__ import annotations

import os
import platform
from typing import Any


def host_facts() -> dict[str, Any]:
    """Return what a reader of the record may want to know of this machine.

    There is nothing in it that names the machine or its user.
    """
    return {
        "system": platform.system(),
        "kernel": platform.release(),
        "machine": platform.machine(),
        "python": platform.python_version(),
        "cores": os.cpu_count(),
    }
