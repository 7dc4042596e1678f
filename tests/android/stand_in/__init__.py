"""A stand-in for Android devices: an adb server with phones in memory, which answer as devices are documented to.

```python
from tests.android.stand_in import AdbServer, Phone

with AdbServer(Phone("emulator-5554")) as server:
    computer = open_computer("android", server=server.address)
```

`python -m tests.android.stand_in` starts one by hand; Debian's `adb -P PORT shell` speaks with it too.
"""

from __future__ import annotations

from tests.android.stand_in.phone import Phone
from tests.android.stand_in.server import AdbServer

__all__ = ["AdbServer", "Phone"]
