"""The doctor finds what is missing, names the remedy, and its exit status tells whether a sandbox can be started."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from proctor.computers.host_checks import HostFinding, size_text
from proctor.computers.sandbox_machine import checks as figures
from proctor.computers.sandbox_machine import limits
from proctor.doctor import HostReport

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="takes a capability away, which only root can")


NAMES = ("python", *figures.CHECKS, "virtual machines", "images")


@cache
def here() -> subprocess.CompletedProcess[str]:
    """What the doctor tells of this machine as it is."""
    return doctor()


def doctor(
    *prefix: str, env: dict[str, str] | None = None, json_wanted: bool = True
) -> subprocess.CompletedProcess[str]:
    argv = [*prefix, sys.executable, "-m", "proctor", "doctor", *(["--json"] if json_wanted else [])]
    return subprocess.run(
        argv, capture_output=True, text=True, timeout=500, check=False, env={**os.environ, **(env or {})}
    )


def findings(done: subprocess.CompletedProcess[str]) -> dict[str, dict[str, Any]]:
    return {finding["name"]: finding for finding in json.loads(done.stdout)["findings"]}


def finding(name: str, status: Any = "ok", remedy: str = "") -> HostFinding:
    return HostFinding(name=name, status=status, found="something", remedy=remedy)


def test_every_check_is_told_with_a_remedy_where_one_is_due() -> None:
    done = here()
    found = findings(done)
    assert list(found) == list(NAMES)
    for name, told in found.items():
        assert told["status"] in ("ok", "warn", "missing"), name
        assert told["found"], name
        assert bool(told["remedy"]) == (told["status"] != "ok"), name


def test_the_status_says_whether_a_sandbox_can_be_started() -> None:
    done = here()
    report = json.loads(done.stdout)
    missing = [told for told in report["findings"] if told["status"] == "missing"]
    assert report["ready"] == (not missing)
    assert done.returncode == (0 if report["ready"] else 1)


def test_people_get_a_line_for_each_and_what_to_do_next() -> None:
    lines = doctor(json_wanted=False).stdout.splitlines()
    for name in NAMES:
        assert any(name in line for line in lines)
    assert lines[-1] == json.loads(here().stdout)["advice"]


def test_without_the_host_programs_each_is_named_with_its_package(tmp_path: Path) -> None:
    for tool in ("unshare", "mount", "sh", "mkdir", "rm", "true", "test"):
        where = shutil.which(tool)
        assert where
        (tmp_path / tool).symlink_to(where)
    found = findings(doctor(env={"PATH": str(tmp_path)}))
    assert found["mmdebstrap"]["status"] == "warn"
    assert "apt-get install mmdebstrap" in found["mmdebstrap"]["remedy"]
    assert found["uidmap"]["status"] == ("warn" if os.geteuid() == 0 else "missing")
    assert "apt-get install uidmap" in found["uidmap"]["remedy"]


def test_without_an_image_nothing_can_start(tmp_path: Path) -> None:
    done = doctor(env={"PROCTOR_DATA": str(tmp_path / "empty")})
    assert findings(done)["images"]["status"] == "missing"
    assert findings(done)["images"]["remedy"] == "proctor images build starter"
    assert done.returncode == 1


def test_a_data_folder_that_cannot_be_written_to_is_missing(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    found = findings(doctor(env={"PROCTOR_DATA": str(file / "data")}))
    assert found["data folder"]["status"] == "missing"
    assert "PROCTOR_DATA" in found["data folder"]["remedy"]


@as_root
def test_a_root_that_may_not_mount_is_told_so() -> None:
    """As in a container with the usual restrictions."""
    done = doctor("setpriv", "--bounding-set=-sys_admin", "--inh-caps=-sys_admin")
    found = findings(done)
    for name in ("namespaces", "process list", "overlay"):
        assert found[name]["status"] == "missing", name
        assert "privileged" in found[name]["remedy"], name
    assert done.returncode == 1
    assert "No sandbox can be started yet" in json.loads(done.stdout)["advice"]


@as_root
def test_control_groups_of_the_dead_are_seen() -> None:
    groups = limits.make(limits.SandboxLimits())
    if not groups.folders:
        pytest.skip("this host has no control groups to leave behind")
    made = Path(groups.folders[0])
    # No process has a number beyond 2**22, and a group that holds another is swept by no sandbox meanwhile.
    orphan = made.with_name(f"{limits.PREFIX}{2**22 + os.getpid()}-0")
    held = orphan / "held"
    try:
        held.mkdir(parents=True)
        found = findings(doctor())
        assert found["leftovers"]["status"] == "warn"
        assert str(orphan) in found["leftovers"]["found"]
        held.rmdir()
        limits.sweep()
        assert not orphan.exists()
    finally:
        for folder in [held, orphan, *map(Path, groups.folders)]:
            if folder.exists():
                folder.rmdir()


def test_looking_leaves_nothing_behind(tmp_path: Path) -> None:
    mounts = Path("/proc/self/mounts").read_text()
    doctor(env={"TMPDIR": str(tmp_path)})
    assert list(tmp_path.iterdir()) == []
    assert Path("/proc/self/mounts").read_text() == mounts


def test_the_advice_names_the_first_thing_to_mend_and_images_last() -> None:
    nothing = HostReport((finding("python"), finding("images")))
    assert nothing.ready
    assert "proctor computers demo" in nothing.advice
    warned = HostReport((finding("python"), finding("inotify", "warn", "raise it")))
    assert warned.ready
    assert "inotify" in warned.advice
    image = HostReport((finding("images", "missing", "build one"), finding("overlay", "missing", "load it")))
    assert not image.ready
    assert "load it" in image.advice
    assert "build one" in HostReport((finding("images", "missing", "build one"),)).advice


def test_the_doctor_and_the_docs_name_the_same_figures(project: Path) -> None:
    text = project.joinpath("docs", "scaling.md").read_text()
    assert f"`sysctl fs.inotify.max_user_instances={figures.SET_INSTANCES}`" in text
    assert f"`sysctl fs.inotify.max_user_watches={figures.SET_WATCHES}`" in text


def test_sizes_are_those_of_image_list() -> None:
    assert (size_text(796_600_000), size_text(4_040_000_000)) == ("797 MB", "4.0 GB")
