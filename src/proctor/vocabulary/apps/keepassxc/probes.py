"""Probes that look into password safes."""

from __future__ import annotations

from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.apps.keepassxc.parse import exported_entries

MOST_BYTES = 8 * 2**20
PATIENCE = "20"


@PROBES.register_with(exported_entries)
def password_safe(context: ProbeContext, path: str, passphrase: str) -> dict[str, object]:
    """The saved entries of a KeePassXC safe: group, title, username, password, URL, notes.

    The safe is opened inside the machine, by the program it belongs to and with the user's rights; what lies in its
    recycle bin is left out.
    """
    context.read(path, most=MOST_BYTES)  # it must be a plain file before a program is let loose on it
    result = context.run(
        ["timeout", PATIENCE, "/usr/bin/keepassxc-cli", "export", "--quiet", "--format", "csv", path],
        input=f"{passphrase}\n".encode(),
    )
    if result.code != 0:
        said = result.stderr.strip().rpartition("\n")[2]
        raise CannotSee("unreadable", f"{path} does not open with its passphrase: {said[:300]}")
    return {"path": path, "entries": parsed(path, exported_entries, result.stdout)}
