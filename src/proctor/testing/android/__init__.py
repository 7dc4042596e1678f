"""A stand-in for Android devices: an adb server with phones in memory, which answer as devices are documented to.

```python
from proctor.testing.android import AdbServer, Phone

with AdbServer(Phone("emulator-5554")) as server:
    computer = open_computer("android", server=server.address)
```

`python -m proctor.testing.android` starts one by hand; Debian's `adb -P PORT shell` speaks with it too.
"""

from __future__ import annotations

from proctor.testing.android.phone import Phone
from proctor.testing.android.server import AdbServer

__all__ = ["AdbServer", "Phone"]
