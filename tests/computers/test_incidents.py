"""The list of what programs inside did to the harness's connections."""

from __future__ import annotations

import json

from proctor.computers.incidents import MAX_CHARS, MAX_INCIDENTS, Incidents


def test_incidents_are_kept_in_order_and_bounded() -> None:
    incidents = Incidents()
    for number in range(MAX_INCIDENTS + 5):
        incidents.note("display", f"{number}" + "x" * 1_000)
    assert len(incidents) == MAX_INCIDENTS
    assert incidents.left_out == 5
    assert incidents[0].what.startswith("0x")
    assert [each.what[:3] for each in incidents[:2]] == ["0xx", "1xx"]
    assert all(len(each.what) == MAX_CHARS for each in incidents)


def test_incidents_are_plain_data_for_a_record() -> None:
    incidents = Incidents()
    incidents.note("session bus", "it closed the connection")
    (line,) = json.loads(json.dumps(incidents.to_json()))
    assert (line["channel"], line["what"]) == ("session bus", "it closed the connection")
    assert line["at"] > 1_700_000_000
