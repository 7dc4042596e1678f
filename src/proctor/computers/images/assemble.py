"""Second half of a build: the downloaded packages become a root filesystem, without network."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from proctor.computers import userns
from proctor.computers.images import folders, without
from proctor.computers.images.download import Downloaded
from proctor.computers.images.progress import BuildStep, Progress
from proctor.computers.images.recipe import Recipe
from proctor.computers.images.sources import PUBLIC, PackageSource
from proctor.errors import HostError, ImageError

_PACKAGE_STEP = re.compile(rb"^(?:Unpacking|Setting up) ([a-z0-9][a-z0-9+.-]+)")
_WORTH_TELLING = re.compile(r"^(E:|dpkg: error|.*No space left|.*rror processing|.*returned error|.*: not found)")

# Dies with its parent, mounts and processes included; sees no network; flushes nothing to disk.
_ALONE = (
    *("setpriv", "--pdeathsig", "KILL"),
    *("unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"),
    *(sys.executable, "-I", "-S", str(Path(__file__).with_name("no_sync.py"))),
)


def assemble(
    recipe: Recipe,
    sources: Sequence[PackageSource],
    downloaded: Downloaded,
    folder: Path,
    *,
    log: Path,
    progress: Progress,
) -> Path:
    """Make `folder/rootfs` from the downloaded packages and return it.

    Owners inside are those of the caller's user namespace, so subordinate ids when the caller is not root.
    """
    for tool, package in (("mmdebstrap", "mmdebstrap"), ("unshare", "util-linux"), ("setpriv", "util-linux")):
        if shutil.which(tool) is None:
            raise HostError(f"{tool} is not installed", remedy=f"as an administrator: apt-get install {package}")
    rootfs = folder / "rootfs"
    hook = folder / "finish.sh"
    hook.write_text(_finish_script(recipe))
    if recipe.left_out:
        without.make_package(recipe.left_out, folder)
    argv = [*_ALONE, *_mmdebstrap(recipe, sources, downloaded, rootfs, hook)]
    progress(BuildStep("installing", 0.0))
    code = _watch(argv, len(downloaded.packages), log, progress)
    hook.unlink()
    (folder / "without.deb").unlink(missing_ok=True)
    if code != 0:
        raise _explain(recipe, log)
    # Only root may make device nodes; without them images are the same for everyone. Computers bring their own.
    userns.run(["find", str(rootfs / "dev"), "-mindepth", "1", "-delete"])
    return rootfs


def _mmdebstrap(
    recipe: Recipe, sources: Sequence[PackageSource], downloaded: Downloaded, rootfs: Path, hook: Path
) -> list[str]:
    rules = [
        "force-unsafe-io",
        *(f"path-exclude={pattern}" for pattern in recipe.exclude),
        *(f"path-include={pattern}" for pattern in recipe.keep),
    ]
    archives, lists = shlex.quote(str(downloaded.archives)), shlex.quote(str(downloaded.lists))
    seed = (
        'mkdir -p "$1/var/cache/apt/archives/partial" "$1/var/lib/apt/lists/partial" "$1/etc/dpkg/dpkg.cfg.d"'
        f' && ln -t "$1/var/cache/apt/archives" {archives}/*.deb && cp -t "$1/var/lib/apt/lists" {lists}/*_*'
        f' && printf "%s\\n" {shlex.join(rules)} > "$1/etc/dpkg/dpkg.cfg.d/proctor"'
    )
    options = [
        "--mode=root",
        "--variant=apt",
        "--format=directory",
        "--verbose",
        "--skip=update,check/signed-by,check/empty",
        f"--setup-hook={seed}",
        f'--customize-hook=sh -e {shlex.quote(str(hook))} "$1"',
        "--aptopt=APT::Install-Recommends false",
    ]
    if recipe.left_out:
        package = shlex.quote(str(hook.with_name("without.deb")))
        options.append(f'--essential-hook=cp {package} "$1/tmp/" && chroot "$1" dpkg --install /tmp/without.deb')
    if recipe.packages:
        options.append(f"--include={','.join(recipe.packages)}")
    return ["mmdebstrap", *options, recipe.suite, str(rootfs), *(source.line() for source in sources)]


def _finish_script(recipe: Recipe) -> str:
    """Return the script that makes the recipe's image of installed packages in the rootfs `$1`."""
    lines = ['root="$1"', "umask 022"]
    for item in recipe.files:
        path = '"$root"' + shlex.quote(item.path)
        lines += [
            f'mkdir -p "$(dirname {path})"',
            f"printf %s {shlex.quote(item.content)} > {path}",
            f"chmod {item.mode} {path}",
        ]
    for text in map(shlex.quote, recipe.commands):
        lines += [f'echo "Command: "{text}', f'chroot "$root" sh -e -c {text}']
    if recipe.exclude:
        # The first packages are unpacked before dpkg is there to heed its rules.
        drop, keep = (
            " -o ".join(f'-path "$root"{shlex.quote(pattern)}' for pattern in patterns) or "-false"
            for patterns in (recipe.exclude, recipe.keep)
        )
        lines += [
            f'find "$root" -xdev ! -type d \\( {drop} \\) ! \\( {keep} \\) -delete',
            f'find "$root" -xdev -depth -type d -empty \\( {drop} \\) ! \\( {keep} \\) -delete',
        ]
    # What mmdebstrap took from the host must not tell an agent about it.
    public = [
        f"deb {PUBLIC} {recipe.suite} main",
        f"deb {PUBLIC} {recipe.suite}-updates main",
        f"deb {PUBLIC}-security {recipe.suite}-security main",
    ]
    lines += [
        'rm -f "$root"/etc/apt/sources.list.d/* "$root"/etc/apt/apt.conf.d/99mmdebstrap',
        f'printf "%s\\n" {shlex.join(public)} > "$root/etc/apt/sources.list"',
        'rm -f "$root/etc/resolv.conf" && : > "$root/etc/resolv.conf"',
        'echo computer > "$root/etc/hostname"',
        'printf "127.0.0.1 localhost computer\\n::1 localhost computer\\n" > "$root/etc/hosts"',
    ]
    return "\n".join(lines) + "\n"


def _watch(argv: Sequence[str], packages: int, log: Path, progress: Progress) -> int:
    """Run the command to its end, copying what it prints to the log and telling how far it is."""
    seen = 0
    with (
        log.open("ab") as copy,
        userns.popen(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**userns.environment(), "TMPDIR": "/tmp"},
            start_new_session=True,
        ) as process,
    ):
        try:
            for line in process.stdout or ():
                copy.write(line)
                if match := _PACKAGE_STEP.match(line):
                    seen += 1
                    progress(BuildStep("installing", min(1.0, seen / (2 * packages)), match[1].decode()))
                elif line.startswith(b"Command: "):
                    progress(BuildStep("finishing", None, line[9:].decode(errors="replace").strip()))
            return process.wait()
        except BaseException:
            # Killing the parent ends the whole namespace; its end shows as the end of the pipe.
            process.kill()
            for _ in process.stdout or ():
                continue
            raise


def _explain(recipe: Recipe, log: Path) -> ImageError:
    text = log.read_bytes()[-60_000:].decode(errors="replace")
    if "No space left on device" in text:
        return ImageError(
            f"the disk filled up while building image {recipe.name!r}",
            remedy=f"free some space, or set PROCTOR_DATA (now {folders.data_folder()})",
        )
    lines = [line.strip() for line in text.splitlines() if _WORTH_TELLING.match(line)]
    said = "; ".join(dict.fromkeys(lines[-4:])) or "mmdebstrap failed"
    return ImageError(f"image {recipe.name!r} could not be built: {said}", remedy=f"see {log}")
