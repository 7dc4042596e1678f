"""Package sources: both formats of apt, what counts as Debian's own, and the choice between them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.computers.images import sources
from proctor.computers.images.sources import KEYRING, PackageSource
from proctor.errors import HostError, SpecError


def host(root: Path, *, system: str = "debian", codename: str = "bookworm", keyring: bool = True) -> Path:
    (root / "etc/apt/sources.list.d").mkdir(parents=True)
    (root / "etc/os-release").write_text(f'ID={system}\nVERSION_CODENAME="{codename}"\n')
    if keyring:
        path = root / KEYRING.relative_to("/")
        path.parent.mkdir(parents=True)
        path.write_bytes(b"key")
    return root


def test_one_line_entries_with_options_comments_and_other_kinds() -> None:
    text = """
# deb http://commented.example/debian bookworm main
deb http://a.example/debian bookworm main contrib # a remark
deb-src http://a.example/debian bookworm main
deb [arch=amd64 signed-by=/usr/share/keyrings/k.gpg] https://b.example/debian bookworm main
deb [ trusted=yes ] http://c.example/debian bookworm main
deb http://half.example/debian
nonsense
"""
    assert list(sources.parse_one_line(text)) == [
        PackageSource(uri="http://a.example/debian", suite="bookworm", components=("main", "contrib")),
        PackageSource(uri="https://b.example/debian", suite="bookworm", signed_by="/usr/share/keyrings/k.gpg"),
        PackageSource(uri="http://c.example/debian", suite="bookworm", trusted=True),
    ]


def test_stanzas_with_several_suites_comments_inline_keys_and_disabled_ones() -> None:
    text = """\
Types: deb deb-src
# a remark inside
URIs: http://a.example/debian
 http://b.example/debian
Suites: bookworm bookworm-updates
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Enabled: no
Types: deb
URIs: http://off.example/debian
Suites: bookworm
Components: main

Types: deb
URIs: http://c.example/debian
Suites: bookworm
Components: main
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 abcdef

Types: deb-src
URIs: http://source.example/debian
Suites: bookworm
Components: main
"""
    found = [(item.uri, item.suite, item.signed_by) for item in sources.parse_deb822(text)]
    key = "/usr/share/keyrings/debian-archive-keyring.gpg"
    assert found == [
        ("http://a.example/debian", "bookworm", key),
        ("http://a.example/debian", "bookworm-updates", key),
        ("http://b.example/debian", "bookworm", key),
        ("http://b.example/debian", "bookworm-updates", key),
        ("http://c.example/debian", "bookworm", ""),
    ]


@given(st.text())
def test_any_text_is_read_without_failing(text: str) -> None:
    assert all(item.uri for item in sources.parse_one_line(text))
    assert all(item.uri for item in sources.parse_deb822(text))


def test_a_debian_host_gives_its_own_mirrors_moved_to_the_recipes_suite(tmp_path: Path) -> None:
    root = host(tmp_path, codename="trixie")
    (root / "etc/apt/sources.list").write_text(
        "deb http://mirror.example/debian trixie main non-free\n"
        "deb http://mirror.example/debian trixie-updates main\n"
        "deb http://mirror.example/debian trixie-backports main\n"
        "deb http://mirror.example/debian-security trixie-security main\n"
        "deb [signed-by=/usr/share/keyrings/vendor.gpg] https://vendor.example/debian trixie main\n"
    )
    (root / "etc/apt/sources.list.d/vendor.sources").write_text(
        "Types: deb\nURIs: https://vendor.example/apt\nSuites: nodistro\nComponents: main\n"
    )
    (root / "etc/apt/sources.list.d/old.list.save").write_text("deb http://old.example/debian trixie main\n")
    assert [item.line() for item in sources.choose("bookworm", root=root)] == [
        "deb http://mirror.example/debian bookworm main",
        "deb http://mirror.example/debian bookworm-updates main",
        "deb http://mirror.example/debian-security bookworm-security main",
    ]


def test_a_mirror_with_an_unusual_path_is_taken_when_there_is_no_better(tmp_path: Path) -> None:
    root = host(tmp_path)
    (root / "etc/apt/sources.list").write_text("deb https://mirror.example/repository/os bookworm main\n")
    assert [item.uri for item in sources.choose("bookworm", root=root)] == ["https://mirror.example/repository/os"]


@pytest.mark.parametrize("system", ["ubuntu", "debian"])
def test_elsewhere_and_without_entries_debians_public_servers_are_used(tmp_path: Path, system: str) -> None:
    root = host(tmp_path, system=system)
    if system == "ubuntu":
        (root / "etc/apt/sources.list").write_text("deb http://archive.example/ubuntu noble main\n")
    chosen = sources.choose("bookworm", root=root)
    assert [item.suite for item in chosen] == ["bookworm", "bookworm-updates", "bookworm-security"]
    assert all(item.signed_by.endswith("debian-archive-keyring.gpg") for item in chosen)


def test_without_debians_keys_the_remedy_names_their_package(tmp_path: Path) -> None:
    with pytest.raises(HostError) as caught:
        sources.choose("bookworm", root=host(tmp_path, system="ubuntu", keyring=False))
    assert "apt-get install debian-archive-keyring" in caught.value.remedy


def test_given_sources_replace_everything_else(tmp_path: Path) -> None:
    root = host(tmp_path)
    (root / "etc/apt/sources.list").write_text("deb http://mirror.example/debian bookworm main\n")
    address, line = sources.choose(
        "bookworm", ["http://near.example/debian", "deb [trusted=yes] http://x.example/d sid main extra"], root=root
    )
    assert (address.uri, address.suite, address.components) == ("http://near.example/debian", "bookworm", ("main",))
    assert line.line() == "deb [trusted=yes] http://x.example/d sid main extra"


@pytest.mark.parametrize("text", ["nonsense", "deb", "deb http://x.example", 'http://x.example/"; evil', ""])
def test_a_malformed_source_is_refused(text: str) -> None:
    with pytest.raises(SpecError, match="is not a package source"):
        sources.choose("bookworm", [text])


def test_records_carry_no_password() -> None:
    source = PackageSource(uri="https://me:secret@mirror.example/debian", suite="bookworm")
    assert source.public_uri() == "https://mirror.example/debian"
