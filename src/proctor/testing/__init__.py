"""Contracts as tests, for a computer, an agent, a probe or a store of your own.

Derive a test class and run pytest:

```python
from proctor.testing import ComputerContract

class TestMyComputer(ComputerContract):
    def new_computer(self):
        return MyComputer()
```

The only package of Proctor's that needs pytest.
"""

from __future__ import annotations

import pytest

# Before they are imported, so that a promise that is not kept shows what was compared.
pytest.register_assert_rewrite(
    *(
        f"proctor.testing.{name}"
        for name in ("actions", "agent", "doors", "evidence", "files", "observations", "promises", "store")
    )
)

from proctor.testing.agent import AgentContract, DriverContract  # noqa: E402
from proctor.testing.computer import ComputerContract  # noqa: E402
from proctor.testing.doors import DoorContract  # noqa: E402
from proctor.testing.evidence import EvidenceContract  # noqa: E402
from proctor.testing.store import StoreContract  # noqa: E402

__all__ = ["AgentContract", "ComputerContract", "DoorContract", "DriverContract", "EvidenceContract", "StoreContract"]
