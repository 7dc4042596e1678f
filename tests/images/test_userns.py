"""Rootless support: the mapping, being root inside, and hosts that lack something."""

from __future__ import annotations

import os
import pwd
import re
from pathlib import Path

import pytest

from proctor.computers import userns
from proctor.errors import HostError
from tests.images.conftest import AsUser

LOOK = """
import os, subprocess
from proctor.computers import userns
closed = os.path.expanduser('~/.proctor-closed')
os.mkdir(closed, 0o700)
try:
    script = f"id -u; id -G; cat /proc/self/uid_map; touch {closed}/made; chown 1000 {closed}/made; stat -c %u {closed}"
    done = userns.run(["sh", "-c", script])
    print(done.stdout.decode(), done.stderr.decode())
    owner = os.stat(f"{closed}/made").st_uid
    print("owner", owner - userns.id_mapping().first_uid)
    reading, writing = os.pipe()
    with userns.popen(["sh", "-c", f"echo through >&{writing}"], pass_fds=[writing]) as process:
        os.close(writing)
        print(os.read(reading, 100).decode())
finally:
    print("removed", userns.run(["rm", "-rf", closed]).returncode, os.path.exists(closed))
"""


@pytest.mark.rootless
def test_root_inside_has_power_over_the_callers_closed_folders(as_user: AsUser) -> None:
    done = as_user(["-c", LOOK])
    assert done.returncode == 0, done.stderr
    lines = done.stdout.split("\n")
    assert lines[:2] == ["0", "0"]
    assert re.fullmatch(r"\s+0\s+\d+\s+65536", lines[2])
    assert re.fullmatch(r"\s+65536\s+\d+\s+1", lines[3])
    assert lines[4].strip() == "65536", "the caller's folder keeps its owner"
    assert "owner 1000" in lines
    assert "through" in lines
    assert "removed 0 False" in lines


@pytest.mark.rootless
def test_a_command_that_does_not_exist_is_a_clear_error(as_user: AsUser) -> None:
    done = as_user(["-c", "from proctor.computers import userns; userns.popen(['no-such-command'])"])
    assert "HostError: cannot start 'no-such-command' in a user namespace" in done.stderr


@pytest.mark.rootless
def test_without_user_namespaces_the_remedy_is_for_an_administrator(as_user: AsUser) -> None:
    # Inside a namespace whose own limit is nought, its root is refused just as an ordinary user elsewhere would be.
    inner = (
        "import os; open('/proc/sys/user/max_user_namespaces', 'w').write('0');"
        "os.setresuid(1000, 1000, 1000);"
        "from proctor.computers import userns;"
        "userns.popen(['true'], ids=userns.Mapping(uid=1000, gid=0, first_uid=1, first_gid=1))"
    )
    outer = (
        "import sys; from proctor.computers import userns;"
        f"done = userns.run([sys.executable, '-c', {inner!r}]); sys.stderr.write(done.stderr.decode())"
    )
    done = as_user(["-c", outer])
    assert "does not let ordinary users make user namespaces" in done.stderr
    assert "sysctl -w user.max_user_namespaces=" in done.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="is about root")
def test_root_needs_no_namespace() -> None:
    before = Path("/proc/self/ns/user").readlink()
    assert userns.run(["readlink", "/proc/self/ns/user"]).stdout.decode().strip() == str(before)


def test_run_gives_input_and_returns_all_that_was_printed() -> None:
    done = userns.run(["sh", "-c", "cat; echo problem >&2; exit 3"], input=b"given")
    assert (done.returncode, done.stdout, done.stderr) == (3, b"given", b"problem\n")


@pytest.mark.skipif(os.geteuid() != 0, reason="root has no subordinate ids to fall back on")
def test_a_user_without_subordinate_ids_gets_the_exact_command() -> None:
    assert not any("nobody" in Path(name).read_text() for name in ("/etc/subuid", "/etc/subgid") if Path(name).exists())
    with pytest.raises(HostError, match="'nobody' has no 65536 subordinate ids") as caught:
        userns.id_mapping("nobody")
    match = re.search(r"usermod --add-subuids (\d+)-(\d+) nobody", caught.value.remedy)
    assert match
    assert int(match[2]) - int(match[1]) == 65535
    taken = [line.split(":") for line in Path("/etc/subuid").read_text().splitlines() if line.count(":") == 2]
    assert all(int(match[1]) >= int(start) + int(count) for _, start, count in taken), "it collides with nobody's"


@pytest.mark.rootless
def test_the_mapping_of_a_named_user_is_that_of_the_files() -> None:
    name = os.environ.get("PROCTOR_TEST_USER") or pwd.getpwuid(os.geteuid()).pw_name
    found = userns.id_mapping(name)
    assert f":{found.first_uid}:" in Path("/etc/subuid").read_text()
    assert found.uid_map() == ["0", str(found.first_uid), "65536", "65536", str(pwd.getpwnam(name).pw_uid), "1"]
