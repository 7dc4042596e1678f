"""Running Python as a user without rights, who need not be able to reach our checkout or interpreter."""

from __future__ import annotations

import json
import os
import pwd
import shlex
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Mapping
from pathlib import Path

from proctor.computers.images import archive, store

PROJECT = Path(__file__).parent.parent


class OrdinaryUser:
    """A user without rights; checkout and interpreter are shown to it under /mnt, in a mount namespace of its own."""

    def __init__(self, name: str) -> None:
        self.entry = pwd.getpwnam(name)
        self.data = Path(self.entry.pw_dir) / ".local/share/proctor"

    def python(
        self,
        *arguments: str,
        env: Mapping[str, str] | None = None,
        before: Callable[[], object] | None = None,
        timeout_sec: float | None = None,
    ) -> subprocess.CompletedProcess[str]:
        """Run Python; `before` is called in the child while it is still ours."""
        shown = {"python": sys.base_prefix, "site": sysconfig.get_path("purelib"), "project": str(PROJECT)}
        mounts = " && ".join(
            f"mkdir /mnt/{name} && mount --bind {shlex.quote(path)} /mnt/{name}" for name, path in shown.items()
        )
        own = {
            "HOME": self.entry.pw_dir,
            "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
            "PYTHONPATH": "/mnt/project/src:/mnt/project:/mnt/site",
            "PYTHONDONTWRITEBYTECODE": "1",
            # An interpreter that was built with a shared library would find another one at its usual place.
            "LD_LIBRARY_PATH": "/mnt/python/lib",
            "LANG": "C.UTF-8",
            "PROCTOR_TEST_STRICT": "1",
            **(env or {}),
        }
        version = f"python{sys.version_info.major}.{sys.version_info.minor}"
        become = ["setpriv", f"--reuid={self.entry.pw_uid}", f"--regid={self.entry.pw_gid}", "--clear-groups"]
        command = [*become, "env", "-i", *(f"{key}={value}" for key, value in own.items())]
        command.append(f"/mnt/python/bin/{version}")
        script = f"mount -t tmpfs none /mnt && {mounts} && cd /mnt/project && exec {shlex.join([*command, *arguments])}"
        return subprocess.run(
            ["unshare", "-m", "sh", "-c", script],
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            preexec_fn=before,
            timeout=timeout_sec,
        )


def share_image(user: OrdinaryUser, name: str = "starter") -> None:
    """Hand our image on through the product's own export and import, unless the user has that very one."""
    digest = store.find(name).digest
    held = user.python("-m", "proctor", "images", "list", "--json")
    if held.returncode == 0 and any(image.get("digest") == digest for image in json.loads(held.stdout)):
        return
    file = Path("/var/tmp") / f"proctor-{name}-{os.getpid()}.tar"
    try:
        archive.export(name, file)
        file.chmod(0o644)
        done = user.python("-m", "proctor", "images", "import", str(file), "--force")
        assert done.returncode == 0, done.stderr
    finally:
        file.unlink(missing_ok=True)
