"""What it means when an attack is not held, and what can be done about it."""

from __future__ import annotations

from proctor.attacks.attack import Attack

MEANS = {
    "secrets": "code of an agent can learn what only the harness should know",
    "escapes": "code of an agent reaches the kernel or the machine in a way that a sandbox should close",
    "neighbours": "one sandbox can leave others on this machine without something they need",
    "exhaustion": "one sandbox can take more of this machine's memory than its limit",
    "reading": "what is judged can be replaced while it is judged",
    "breaking": "code of an agent can end its own computer",
    "leaving": "something of a sandbox stays on this machine after its end",
}
"""By the kind of attack."""
NO_GROUPS = "memory is only watched here; run as root, or have a control group delegated to you, for a limit that holds"
SHARED_IDS = "the sandboxes of one ordinary user share this; run as root, or run one sandbox at a time"
REPORT = "report it as docs/security.md says, with the output of `proctor doctor --attack --json`"


def remedy_for(attack: Attack, promised: bool) -> str:
    """Return what to do about an attack that was not held."""
    if promised:
        return REPORT
    return NO_GROUPS if attack.kind == "exhaustion" else SHARED_IDS
