"""Probes that look into password safes."""

from __future__ import annotations

from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.apps.keepassxc.parse import exported_safe

MOST_BYTES = 8 * 2**20
PATIENCE_SEC = 20
_EXPORT = """
import subprocess, sys, tempfile
passphrase, _, safe = sys.stdin.buffer.read().partition(b"\\n")
with tempfile.TemporaryDirectory() as folder:
    with open(folder + "/safe.kdbx", "wb") as file: file.write(safe)
    sys.exit(subprocess.run(
        ["/usr/bin/keepassxc-cli", "export", "--quiet", "--format", "xml", "safe.kdbx"],
        input=passphrase + b"\\n", cwd=folder, timeout=float(sys.argv[1]),
        env={"HOME": folder, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
    ).returncode)
"""


@PROBES.register_with(exported_safe, whole="folder")
def password_safe(context: ProbeContext, path: str, passphrase: str) -> dict[str, object]:
    """A saved KeePassXC safe: its groups, and its entries with all their fields and files.

    A copy of the safe is opened inside the machine, by the program it belongs to, without the user's rights and
    settings; what lies in its recycle bin is told apart.
    """
    given = passphrase.encode() + b"\n" + context.read(path, most=MOST_BYTES)
    argv = ["/usr/bin/python3", "-I", "-c", _EXPORT, str(PATIENCE_SEC)]
    result = context.run(argv, reader=True, input=given, timeout_sec=PATIENCE_SEC + 10)
    if result.code != 0:
        said = result.stderr.strip().rpartition("\n")[2]
        raise CannotSee("unreadable", f"{path} does not open with its passphrase: {said[:300]}")
    return parsed(path, exported_safe, result.stdout, path)
