"""What a dialect tells a model: the allowed actions only, in its own form, and what coordinates mean."""

import pytest

from proctor.actions.action import ACTIONS
from proctor.actions.dialects import DIALECTS, open_dialect
from proctor.actions.dialects.prompt_words import sentence_for
from proctor.errors import SpecError, UnknownName
from proctor.models.vendors import VENDORS
from tests.actions.dialects.samples import HALF, SAME, TEXT_DIALECTS, VENDOR_NAMES, vendor_dialect


def test_all_dialects_are_known_by_name() -> None:
    assert set(TEXT_DIALECTS) <= set(DIALECTS.names())
    assert set(VENDOR_NAMES) <= set(VENDORS.names())
    for name in TEXT_DIALECTS:
        assert open_dialect(name).name == name
        assert set(open_dialect(name).kinds) <= set(ACTIONS)
    for name in VENDOR_NAMES:
        assert vendor_dialect(name).name == name


def test_a_wrong_name_or_option_is_answered_with_the_right_one() -> None:
    with pytest.raises(UnknownName, match="pyautgui") as caught:
        open_dialect("pyautgui")
    assert "'pyautogui'" in caught.value.remedy
    with pytest.raises(UnknownName, match="pixels"):
        open_dialect("pyautogui", space="pixels")
    with pytest.raises(SpecError, match="speed"):
        open_dialect("ui_tars", speed=3)
    with pytest.raises(UnknownName):
        vendor_dialect("opanai")


@pytest.mark.parametrize("name", TEXT_DIALECTS)
def test_only_what_is_allowed_and_sayable_is_listed(name: str) -> None:
    dialect = open_dialect(name)
    everything = dialect.describe([*ACTIONS], SAME)
    for kind in ACTIONS:
        # The first words of an action's own description; its details may differ between dialects.
        words = sentence_for(kind).partition(";")[0].partition(", such as")[0].rstrip(".")
        assert (words in everything) == (kind in dialect.kinds)
        assert words not in dialect.describe([other for other in ACTIONS if other != kind], SAME)


@pytest.mark.parametrize("name", TEXT_DIALECTS)
def test_the_space_of_coordinates_is_told(name: str) -> None:
    told = open_dialect(name).describe(["click"], HALF)
    assert ("0 to 1000" if name == "ui_tars_1.0" else "960 wide and 540 high") in told


@pytest.mark.parametrize("name", ["plain_json", "computer13", "pyautogui"])
def test_ids_are_explained_where_there_are_some(name: str) -> None:
    assert "with the id 3" in open_dialect(name).describe(["click"], HALF)
    assert "with the id 3" not in open_dialect(name).describe(["click"], SAME)
