"""Starts a stand-in for an adb server with one phone, until it is interrupted."""

from __future__ import annotations

import threading

import click

from tests.android.stand_in import AdbServer, Phone

with AdbServer(Phone("emulator-5554")) as server:
    click.echo(f"a phone stands behind the adb server at {server.address}")
    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        click.echo("ended")
