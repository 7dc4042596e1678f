"""Hidden seeds: the same for whoever has the secret, and not to be guessed by others."""

from __future__ import annotations

from pathlib import Path

import pytest

from proctor.errors import SpecError
from proctor.suites import load_suite
from proctor.suites.hidden_seeds import SEED_BYTES, VARIABLE, SeedSecret
from proctor.suites.suite import variants

SECRET = "a secret of more than sixteen bytes"


@pytest.fixture
def secret(monkeypatch: pytest.MonkeyPatch) -> SeedSecret:
    monkeypatch.setenv(VARIABLE, SECRET)
    return SeedSecret.find("env")


def test_the_same_secret_gives_the_same_seeds_and_another_one_others(secret: SeedSecret, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text(f"{SECRET}\n")
    (tmp_path / "other").write_text(f"{SECRET}!")
    same, other = (SeedSecret.find(str(tmp_path / name)) for name in ("secret", "other"))
    assert same.seed("tour/x-v1", 0) == secret.seed("tour/x-v1", 0) != other.seed("tour/x-v1", 0)
    assert same.fingerprint == secret.fingerprint != other.fingerprint


def test_every_template_and_number_has_a_seed_of_its_own(secret: SeedSecret) -> None:
    seeds = {secret.seed(f"core/task-{task}-v1", number) for task in range(30) for number in range(30)}
    assert len(seeds) == 900 and all(0 <= seed < 256**SEED_BYTES for seed in seeds)


def test_a_suite_is_written_with_them(secret: SeedSecret) -> None:
    suite = load_suite("tour")
    template = suite.template("sign-the-letter")
    ((_, _, seed),) = variants([(suite, template)], [0], secret)
    assert seed == secret.seed(suite.id(template), 0)
    assert suite.task(template.name, seed).seed == seed


def test_nothing_shows_the_secret(secret: SeedSecret) -> None:
    assert SECRET not in repr(secret) and SECRET not in secret.fingerprint


@pytest.mark.parametrize("text", ["", "short", " " * 40])
def test_what_is_too_short_is_no_secret(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, text)
    with pytest.raises(SpecError, match=f"the variable {VARIABLE} holds"):
        SeedSecret.find("env")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="nothing cannot be read"):
        SeedSecret.find(str(tmp_path / "nothing"))
