"""Builds: sources that fail, builds that are killed or interrupted, and one real image from end to end."""

from __future__ import annotations

import os
import re
import select
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from proctor.computers import userns
from proctor.computers.images import build, store
from proctor.computers.images.progress import BuildStep
from proctor.errors import ImageError
from tests.images.conftest import MakeImage
from tests.images.test_store import leftovers

RECIPE = """\
name = "minimal"
description = "the least that is a system"
exclude = ["/usr/share/man/*", "/usr/share/doc/*"]
keep = ["/usr/share/doc/*/copyright"]
without = ["cpp"]
commands = ["useradd --uid 1000 user", "test ! -e /sys/class/net/eth0"]
[[file]]
path = "/etc/proctor/it's.sh"
mode = "0755"
content = "echo \\"$HOME 'quoted' ümläut\\"\\n"
"""


@pytest.fixture
def recipe(data: Path) -> Path:
    path = data / "minimal.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(RECIPE)
    return path


def test_a_source_that_refuses_is_named_with_the_way_out(recipe: Path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        uri = f"http://127.0.0.1:{closed.getsockname()[1]}/debian"
        refused(recipe, uri, "does not answer")


def test_a_source_that_never_answers_is_given_up_in_time(recipe: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        began = time.monotonic()
        refused(recipe, f"http://127.0.0.1:{silent.getsockname()[1]}/debian", "does not answer", timeout_sec=1)
        assert time.monotonic() - began < 30


def test_an_interrupted_build_cleans_up_behind_itself(recipe: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        uri = f"http://127.0.0.1:{silent.getsockname()[1]}/debian"
        with subprocess.Popen(
            [sys.executable, "-c", BUILD, str(recipe), uri],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            silent.accept()[0].close()
            helpers = processes_naming(str(recipe.parent / "cache"))
            process.send_signal(signal.SIGINT)
            process.communicate()
    assert helpers
    assert process.returncode == -signal.SIGINT
    assert processes_naming(str(recipe.parent / "cache")) == []
    assert leftovers(store.folder_of("minimal").parent) == []


def refused(recipe: Path, uri: str, reason: str, *, timeout_sec: float = 5) -> None:
    with pytest.raises(ImageError, match=reason) as caught:
        build.build(recipe, source=[uri], timeout_sec=timeout_sec)
    assert uri in caught.value.message
    assert "--source" in caught.value.remedy
    assert store.images() == []
    assert leftovers(store.folder_of("minimal").parent) == []


def test_an_image_that_is_there_is_not_built_again(data: Path, make_image: MakeImage) -> None:
    made = make_image()
    same = data / "tiny.toml"
    same.write_text('name = "tiny"\n[files]\n"/etc/motd" = "welcome\\n"\n')
    assert build.build(same) == made


def test_an_image_of_another_recipe_is_replaced_only_by_force(data: Path, make_image: MakeImage) -> None:
    make_image()
    other = data / "tiny.toml"
    other.write_text('name = "tiny"\npackages = ["vim"]\n')
    with pytest.raises(ImageError, match="another version of its recipe") as caught:
        build.build(other)
    assert "--force" in caught.value.remedy


def test_an_image_in_use_is_refused_before_anything_is_downloaded(data: Path, make_image: MakeImage) -> None:
    made = make_image()
    other = data / "tiny.toml"
    other.write_text('name = "tiny"\n')
    with store.hold(made), pytest.raises(ImageError, match="in use"):
        build.build(other, force=True)
    assert not (data / "cache").exists()


@pytest.mark.turns
@pytest.mark.slow
def test_a_real_build_survives_a_kill_and_bad_packages(recipe: Path) -> None:
    """One story, because its downloads are shared: killed, swept, built from what is there, verified."""
    killed_while_installing(recipe)
    made = built(recipe)
    unknown_package(recipe)
    assert store.find("minimal") == made


BUILD = """\
import sys
from proctor.computers.images import build
build.build(sys.argv[1], source=sys.argv[2:], progress=lambda step: print(step.phase, step.done, flush=True))
"""


def start_and_reach_installing(recipe: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen([sys.executable, "-c", BUILD, str(recipe)], stdout=subprocess.PIPE, text=True)
    assert process.stdout
    for line in process.stdout:
        phase, done = line.split()
        if phase == "installing" and float(done) > 0:
            return process
    pytest.fail(f"the build ended early with status {process.wait()}")


def killed_while_installing(recipe: Path) -> None:
    with start_and_reach_installing(recipe) as process:
        helpers = processes_below(store.folder_of("minimal").parent)
        assert helpers, "the build has helpers to leave behind"
        process.kill()
    for pid in helpers:
        wait_for_end(pid)
    assert processes_below(store.folder_of("minimal").parent) == []
    assert str(recipe.parent) not in Path("/proc/mounts").read_text()
    assert leftovers(store.folder_of("minimal").parent) == [f".building-minimal-{process.pid}"]
    with pytest.raises(ImageError, match="there is no image"):
        store.find("minimal")
    with store.lock_image("minimal"):
        assert leftovers(store.folder_of("minimal").parent) == []


def built(recipe: Path) -> store.Image:
    steps: list[BuildStep] = []
    made = build.build(recipe, progress=steps.append)
    phases = [step.phase for step in steps]
    assert "downloading" not in phases, "what was downloaded before is not downloaded again"
    assert phases.index("updating") < phases.index("installing") < phases.index("finishing")
    assert store.find("minimal") == made
    store.verify(made)
    names = {item.name for item in made.packages}
    assert {"apt", "base-files", "proctor-without"} <= names
    listing = userns.run(["chroot", str(made.rootfs), "sh", "-c", LOOK]).stdout.decode().splitlines()
    assert listing == ["755", "/root 'quoted' ümläut", "uid=1000(user) gid=1000(user) groups=1000(user)", "0", "0"]
    assert (made.rootfs / "usr/share/doc/base-files/copyright").exists()
    assert not (made.rootfs / "usr/share/doc/base-files/README").exists()
    assert (made.rootfs / "etc/resolv.conf").read_text() == ""
    assert re.fullmatch(r"sha256:[0-9a-f]{64}", made.digest)
    return made


LOOK = """
export HOME=/root
stat -c %a "/etc/proctor/it's.sh"
sh "/etc/proctor/it's.sh"
id user
find /dev -mindepth 1 | wc -l
find /var/cache/apt/archives /var/lib/apt/lists /usr/share/man -type f ! -name lock | wc -l
"""


def unknown_package(recipe: Path) -> None:
    other = recipe.with_name("other.toml")
    other.write_text('name = "other"\npackages = ["no-such-package", "bash"]\n')
    with pytest.raises(ImageError, match="have no no-such-package") as caught:
        build.build(other)
    assert "`packages`" in caught.value.remedy
    assert leftovers(store.folder_of("other").parent) == []


def processes_below(folder: Path) -> list[int]:
    return processes_naming(f"{folder}/.building-")


def processes_naming(text: str) -> list[int]:
    """Processes that have the text on their command line."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes()
        except OSError:
            continue
        if os.fsencode(text) in line:
            found.append(int(path.parent.name))
    return found


def wait_for_end(pid: int, timeout_sec: float = 20) -> None:
    try:
        fd = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        assert select.select([fd], [], [], timeout_sec)[0], f"process {pid} outlived the builder"
    finally:
        os.close(fd)
