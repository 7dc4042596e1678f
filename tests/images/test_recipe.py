"""Recipes: every fault at once, extension, and the bundled ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.computers.images import recipe
from proctor.computers.images.recipe import Recipe, RecipeFile
from proctor.errors import SpecError, UnknownName

WORD = st.from_regex(r"[a-z0-9][a-z0-9-]{1,12}", fullmatch=True)
TEXT = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), min_size=1).filter(str.strip)
ABSOLUTE = st.lists(WORD, min_size=1, max_size=4).map(lambda parts: "/" + "/".join(parts))
FILES = st.builds(RecipeFile, path=ABSOLUTE, content=TEXT, mode=st.sampled_from(["0644", "0755", "4755"]))
RECIPES = st.builds(
    Recipe,
    name=WORD,
    description=TEXT,
    suite=st.sampled_from(["bookworm", "trixie", "sid"]),
    packages=st.lists(WORD, unique=True).map(tuple),
    without=st.lists(WORD, unique=True).map(tuple),
    exclude=st.lists(ABSOLUTE).map(tuple),
    keep=st.lists(ABSOLUTE).map(tuple),
    files=st.lists(FILES, unique_by=lambda item: item.path).map(tuple),
    commands=st.lists(TEXT).map(tuple),
)


@given(RECIPES)
def test_a_recipe_survives_the_trip_through_its_file_shape(made: Recipe) -> None:
    again = recipe.parse(made.to_dict())
    assert again == made
    assert again.hash == made.hash


@given(RECIPES, RECIPES)
def test_the_hash_tells_recipes_apart_by_content_alone(first: Recipe, second: Recipe) -> None:
    def content(made: Recipe) -> dict[str, object]:
        return {key: value for key, value in made.to_dict().items() if key not in ("name", "description")}

    assert (first.hash == second.hash) == (content(first) == content(second))


@given(st.dictionaries(st.text(), st.recursive(st.none() | st.integers() | st.text(), st.lists)))
def test_any_mapping_is_accepted_or_refused_with_a_reason(mapping: dict[str, object]) -> None:
    try:
        recipe.parse(mapping)
    except SpecError as error:
        assert error.remedy


def test_all_faults_are_reported_at_once() -> None:
    with pytest.raises(SpecError) as caught:
        recipe.parse(
            {
                "name": "Bad Name",
                "pakages": ["vim"],
                "packages": ["vim", "vim", "Not A Package", 3],
                "exclude": ["relative/*"],
                "files": {"etc/motd": "x", "/etc/../shadow": "x"},
                "file": [{"path": "/a", "content": 5, "mode": "rwx", "owner": "me"}],
                "commands": "rm -rf /",
            }
        )
    text = caught.value.message
    for fragment in (
        "'Bad Name'",
        "unknown key 'pakages'; did you mean 'packages'?",
        "'vim' is named twice",
        "'Not A Package'",
        "3 is not a text",
        "'relative/*'",
        "'etc/motd'",
        "'/etc/../shadow'",
        "content must be a text",
        "mode 'rwx'",
        "unknown key of a [[file]] 'owner'",
        "commands must be a list",
    ):
        assert fragment in text
    assert "12 fault(s)" in text


def test_a_child_adds_to_its_parent_and_wins_over_it(data: Path) -> None:
    folder = data / "recipes"
    folder.mkdir(parents=True)
    (folder / "parent.toml").write_text(
        'name = "parent"\nsuite = "trixie"\npackages = ["a1", "b1"]\nwithout = ["c1"]\ncommands = ["first"]\n'
        '[files]\n"/etc/a" = "parent"\n"/etc/b" = "parent"\n'
    )
    child = data / "child.toml"
    child.write_text(
        'name = "child"\nextends = "parent"\npackages = ["b1", "c1"]\ncommands = ["second"]\n'
        '[[file]]\npath = "/etc/a"\nmode = "0600"\ncontent = "child"\n'
    )
    made = recipe.load(child)
    assert (made.name, made.suite, made.packages) == ("child", "trixie", ("a1", "b1", "c1"))
    assert made.commands == ("first", "second")
    assert {item.path: (item.content, item.mode) for item in made.files} == {
        "/etc/a": ("child", "0600"),
        "/etc/b": ("parent", "0644"),
    }
    assert made.left_out == (), "what a child asks for is no longer left out"


def test_extending_in_a_circle_is_refused(data: Path) -> None:
    folder = data / "recipes"
    folder.mkdir(parents=True)
    (folder / "hen.toml").write_text('name = "hen"\nextends = "egg"\n')
    (folder / "egg.toml").write_text('name = "egg"\nextends = "hen"\n')
    with pytest.raises(SpecError, match="hen -> egg -> hen"):
        recipe.load("hen")


def test_unknown_names_and_files_are_refused_with_a_suggestion(data: Path) -> None:
    with pytest.raises(UnknownName, match="did you mean 'starter'"):
        recipe.load("startr")
    with pytest.raises(SpecError, match=r"no recipe file at .*missing\.toml"):
        recipe.load(data / "missing.toml")


def test_a_file_that_is_not_toml_is_named(tmp_path: Path) -> None:
    path = tmp_path / "broken.toml"
    path.write_bytes(b"name = \xff\n")
    with pytest.raises(SpecError, match=r"cannot read recipe .*broken\.toml"):
        recipe.load(path)


def test_the_users_recipe_wins_over_the_bundled_one(data: Path) -> None:
    (data / "recipes").mkdir(parents=True)
    (data / "recipes" / "starter.toml").write_text('name = "starter"\ndescription = "mine"\n')
    assert recipe.load("starter").description == "mine"


def test_the_bundled_recipes_are_sound(data: Path) -> None:
    starter, full = recipe.load("starter"), recipe.load("full")
    assert set(starter.packages) < set(full.packages)
    assert {"python3", "tcc", "tigervnc-standalone-server"} <= set(starter.packages)
    assert starter.hash != full.hash
    assert any("useradd --uid 1000" in command for command in full.commands)
    office = {f"libreoffice-{part}" for part in ("calc", "writer", "impress", "math")}
    assert office <= set(full.packages), "equations are made with Math"
