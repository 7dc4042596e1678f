"""Pages elsewhere that tasks open: copies of them among a task's files stand at their addresses."""

from __future__ import annotations

import base64
import json
import shutil
import socket
import ssl
import subprocess
import threading
from http.client import HTTPResponse
from pathlib import Path
from typing import Any

import pytest

from proctor.suites.foreign.collection import ForeignTask
from proctor.vocabulary.services.web.inside.copy_server import CopyHandler, SecureServer, kind_of, place_of
from proctor.vocabulary.services.web.setup import SITES
from proctor.vocabulary.services.web.setup_copies import CERTIFY
from tests.foreign.files import osworld, read_one

PAGE = "https://www.soups.example/lentil"
FOLDERS = {"type": "bookmark_bar_folders_names", "names": ["Soups"]}
BOOKMARKS = {"type": "bookmarks"}


def opens(*urls: str, result: dict[str, Any] = BOOKMARKS, rules: Any = None, **more: Any) -> dict[str, Any]:
    expected = {"type": "rule", "rules": rules or {"type": "bookmark_bar_websites_urls", "urls": list(urls)}}
    step = {"type": "chrome_open_tabs", "parameters": {"urls_to_open": list(urls)}}
    return osworld(
        config=[step], evaluator={"func": "is_expected_bookmarks", "result": result, "expected": expected}, **more
    )


def copied(folder: Path, task: dict[str, Any], **pages: str) -> ForeignTask:
    for path, content in pages.items():
        file = folder / "files" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
    (folder / "files").mkdir(exist_ok=True)
    return read_one(folder, task, assets=folder / "files")


def test_one_page_needs_a_copy_and_takes_it(tmp_path: Path) -> None:
    found = copied(tmp_path, opens(PAGE))
    assert found.status == "needs asset" and "www.soups.example/lentil" in str(found.reasons[0])
    assert found.missing == {PAGE: "www.soups.example/lentil"}
    # How the live page would be reached does not matter then.
    assert copied(tmp_path, opens(PAGE, proxy="true")).status == "needs asset"
    found = copied(tmp_path, opens(PAGE), **{"www.soups.example/lentil.html": "<p>", "www.soups.example/a.css": ""})
    assert found.status == "ready" and found.make is not None
    made = found.make()
    [call] = [call for call in made.setup if call.name == "site_copy"]
    assert call.arguments["host"] == "www.soups.example"
    assert set(call.arguments["pages"]) == {"/lentil.html", "/a.css"} and set(made.assets) == set(
        call.arguments["pages"].values()
    )


def test_a_manifest_may_say_which_file_a_page_is(tmp_path: Path) -> None:
    manifest = json.dumps([{"url": PAGE, "file": "1.bin"}])
    assert copied(tmp_path, opens(PAGE), **{"manifest.json": manifest}).status == "needs asset"
    assert copied(tmp_path, opens(PAGE), **{"1.bin": "<p>Soup"}).status == "ready"


@pytest.mark.parametrize(
    "task",
    [
        opens("https://www.soups.example/", rules=FOLDERS),  # leads to others
        opens("https://www.soups.example/draw#json=4,5"),  # what is shown there lies elsewhere
        opens("https://www.soups.example/", rules=FOLDERS, proxy="true"),
        osworld(config=[], proxy="true"),  # nothing says what it goes to
        opens(PAGE.replace("example", "example:8443")),
        opens("ftp://www.soups.example/lentil"),
        opens(PAGE, result={"type": "active_tab_info"}),
    ],
)
def test_what_only_the_live_site_tells_needs_the_internet(task: dict[str, Any], tmp_path: Path) -> None:
    assert "needs internet" in {reason.status for reason in copied(tmp_path, task).reasons}


def test_a_copy_of_a_site_stands_in_for_it(tmp_path: Path) -> None:
    task = opens("https://www.soups.example/", rules=FOLDERS)
    assert copied(tmp_path, task).status == "needs internet"
    assert copied(tmp_path, task, **{"www.soups.example/index.html": "<p>Soups"}).status == "ready"


@pytest.mark.parametrize(
    "url",
    [
        "https://soups.github.io/",
        "https://soups.readthedocs.io/en/latest/?highlight=salt",
        "https://aclanthology.org",
        "https://www.geogebra.org/graphing",
    ],
)
def test_a_site_of_plain_files_needs_a_copy_of_it_whatever_it_is_asked(url: str, tmp_path: Path) -> None:
    elsewhere = opens(f"{url}#json=4", result={"type": "active_tab_info"})
    assert copied(tmp_path, elsewhere).status == "needs internet", "what is shown there lies elsewhere"
    task = opens(url, result={"type": "active_tab_info"}, proxy="true")
    found = copied(tmp_path, task)
    assert found.status == "needs asset" and "a copy of the site" in str(found.reasons[0])
    assert set(found.missing) == {url}
    host = url.partition("://")[2].partition("/")[0]
    page = {"soups.readthedocs.io": "en/latest/index.html", "www.geogebra.org": "graphing"}.get(host, "index.html")
    assert copied(tmp_path, task, **{f"{host}/{page}": "<p>Soups"}).status == "ready"


@pytest.mark.parametrize(
    "url", ["https://github.io.example/", "https://www.geogebra.org/m/abc", "https://notwebext.eu/"]
)
def test_other_sites_are_not_taken_for_plain_files(url: str, tmp_path: Path) -> None:
    assert copied(tmp_path, opens(url, result={"type": "active_tab_info"})).status == "needs internet"


def test_a_copy_never_leads_out_of_its_folder(tmp_path: Path) -> None:
    (tmp_path / "files" / "www.soups.example").mkdir(parents=True)
    (tmp_path / "files" / "www.soups.example" / "lentil").symlink_to("/etc/passwd")
    assert copied(tmp_path, opens(PAGE)).status == "needs asset"
    assert copied(tmp_path, opens(PAGE.replace("www.", "../www."))).status == "needs asset"


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("/", "/index.html"),
        ("/a", "/a.html"),
        ("/a/", "/a.html"),
        ("/b/", "/b/index.html"),
        ("/c?x=1", "/c?x=1"),
        ("/c?x=2", None),
        ("/b?x=2#d", "/b/index.html"),
        ("/../b", None),
        ("/%61", "/a.html"),
    ],
)
def test_where_a_page_stands_in_a_copy(address: str, place: str | None) -> None:
    pages = dict.fromkeys(("/index.html", "/a.html", "/b/index.html", "/c?x=1"), "file0")
    assert place_of(address, pages) == place


def test_the_kind_of_content_is_told_by_name_unless_it_is_a_page() -> None:
    assert kind_of("/a.css", b"a{}") == "text/css" and kind_of("/a.png?x", b"\x89PNG") == "image/png"
    assert kind_of("/a", b"<p>") == kind_of("/a.php", b"\n<!DOCTYPE html>") == "text/html"


@pytest.fixture
def certified(tmp_path: Path) -> Path:
    """Return a folder with the certificate of a site, made as on a computer."""
    if shutil.which("openssl") is None:
        pytest.skip("there is no openssl here")
    made = CERTIFY.replace(SITES, str(tmp_path)).replace("/etc/chromium", str(tmp_path / "chromium"))
    done = subprocess.run(["sh", "-c", made, "sh", "www.soups.example", tmp_path], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return tmp_path


def test_a_copy_is_served_over_https(certified: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CopyHandler, "pages", {"/lentil.html": "1"}, raising=False)
    monkeypatch.setattr(CopyHandler, "contents", {"1": b"<p>Soup"}, raising=False)
    server = SecureServer(("127.0.0.1", 0), CopyHandler)
    server.secure = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.secure.load_cert_chain(certified / "cert.pem", certified / "key.pem")
    threading.Thread(target=server.serve_forever, daemon=True).start()
    policy = json.loads((certified / "chromium/policies/managed/copies.json").read_text())
    trusted = ssl.create_default_context(cadata=base64.b64decode(policy["CACertificates"][0]))

    def ask(path: str) -> tuple[int, bytes]:
        line = socket.create_connection(server.server_address[:2])  # type: ignore[arg-type]
        with line, trusted.wrap_socket(line, server_hostname="www.soups.example") as secured:
            secured.sendall(f"GET {path} HTTP/1.0\r\n\r\n".encode())
            answer = HTTPResponse(secured)
            answer.begin()
            return answer.status, answer.read()

    try:
        assert ask("/lentil?from=mail") == (200, b"<p>Soup")
        assert ask("/other")[0] == 404
        with socket.create_connection(server.server_address[:2]) as line:  # type: ignore[arg-type]
            line.sendall(b"no greeting\r\n\r\n")  # and nobody else has to wait for it
        assert ask("/lentil")[0] == 200
    finally:
        server.shutdown()
        server.server_close()


def test_a_page_that_is_printed_to_compare_with_is_a_copy(tmp_path: Path) -> None:
    printed = {"type": "pdf_from_url", "path": PAGE, "dest": "gold.pdf"}
    result = {"type": "vm_file", "path": "/home/user/Desktop/soup.pdf", "dest": "soup.pdf"}
    task = opens(PAGE) | {"evaluator": {"func": "compare_pdfs", "result": result, "expected": printed}}
    found = copied(tmp_path, task)
    assert found.status == "needs asset" and set(found.missing) == {PAGE}
    found = copied(tmp_path, task, **{"www.soups.example/lentil.html": "<p>"})
    assert found.status == "ready" and found.make is not None
    other = found.make().check.arguments["other"]
    assert (other.name, dict(other.arguments)) == ("printed_page", {"url": PAGE})
    assert ("print_page", {"url": PAGE}) in [(call.name, dict(call.arguments)) for call in found.make().finish]
    # A page elsewhere cannot be printed without the internet, nor without a copy of it.
    printed["path"] = "https://elsewhere.example/"
    assert copied(tmp_path, task).status == "needs internet"
