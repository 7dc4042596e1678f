"""Setup steps for copies of web sites, at the addresses of the originals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

from pydantic import Field

from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import SETUP
from proctor.vocabulary.services.web.setup import SITES, append_to_hosts, root_file, site_address

CERTIFY = f"""
set -e
new() {{ openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 300 "$@" 2> /dev/null; }}
(
    umask 077
    cd {SITES}
    [ -f ca.pem ] || new -subj /CN=Copies -keyout ca.key -out ca.pem
    new -CA ca.pem -CAkey ca.key -subj /CN=copy -addext "subjectAltName=DNS:$1" -addext basicConstraints=CA:FALSE \
        -keyout "$2/key.pem" -out "$2/cert.pem"
)
mkdir -p /etc/chromium/policies/managed
printf '{{"CACertificates": ["%s"]}}' "$(openssl x509 -in {SITES}/ca.pem -outform DER | base64 -w 0)" \
    > /etc/chromium/policies/managed/copies.json
chmod 644 /etc/chromium/policies/managed/copies.json
"""
"""Gives a site a certificate that Chromium trusts on this computer, and nobody elsewhere."""


@SETUP.register_before_use
def site_copy(
    context: SetupContext,
    host: Annotated[str, Field(pattern=r"^[a-z0-9-]+(\.[a-z0-9-]+)*$", examples=["www.recipes.example"])],
    pages: dict[str, str],
) -> None:
    """Serve a copy of a web site at the address that the original has, over HTTP and HTTPS.

    `pages` maps paths, such as `/soups/index.html`, to files next to the task file. Chromium trusts the copy.
    """
    folder, address = f"{SITES}/{host}", site_address(host)
    context.command(["mkdir", "-p", "-m", "700", SITES, folder], root=True)
    names = {asset: f"file{number}" for number, asset in enumerate(dict.fromkeys(pages.values()))}
    for asset, name in names.items():
        root_file(context, f"{folder}/{name}", context.asset(asset))
    listed = {path: names[asset] for path, asset in pages.items()}
    root_file(context, f"{folder}/pages.json", json.dumps(listed).encode())
    script = (Path(__file__).parent / "inside" / "copy_server.py").read_bytes()
    root_file(context, f"{folder}/server.py", script)
    context.command(["sh", "-c", CERTIFY, "sh", host, folder], root=True)
    append_to_hosts(context, address, host)
    context.command(["python3", "-I", f"{folder}/server.py", folder, address], root=True)
