from __future__ import annotations

from pathlib import Path

import pytest

from proctor.errors import AgentError, ModelError, SpecError
from proctor.models.model import Message
from proctor.models.script import ScriptedModel
from proctor.models.usage import FREE, Budget, BudgetSpent, Metered, Price, Prices, Usage
from proctor.records import ModelCall

ASK = [Message("user", ("x" * 400,))]


def test_a_cost_counts_what_was_kept_apart() -> None:
    price = Price(input=2.0, output=8.0, cached=0.5)
    usage = Usage(input=1_000_000, cached=400_000, output=500_000, reasoning=100_000)
    assert price.cost(usage) == pytest.approx(0.6 * 2 + 0.4 * 0.5 + 0.5 * 8)


def test_what_was_kept_costs_the_full_price_where_no_other_is_known() -> None:
    assert Price(input=2.0, output=8.0).cost(Usage(input=1_000_000, cached=400_000)) == pytest.approx(2.0)


def test_the_shipped_prices_are_dated_and_plausible() -> None:
    for model in ("openai/gpt-4o", "anthropic/claude-sonnet-4-5", "google/gemini-2.5-pro"):
        price = Prices.load().find(model)
        assert price is not None
        assert price.as_of
        assert 0 < price.input < price.output < 1000


@pytest.mark.parametrize(
    ("dated", "plain"),
    [
        ("openai/gpt-4o-2024-08-06", "openai/gpt-4o"),
        ("anthropic/claude-sonnet-4-20250514", "anthropic/claude-sonnet-4"),
        ("anthropic/claude-3-5-haiku-latest", "anthropic/claude-3-5-haiku"),
    ],
)
def test_a_dated_version_has_the_price_of_its_model(dated: str, plain: str) -> None:
    prices = Prices.load()
    assert prices.find(dated) == prices.find(plain) is not None


@pytest.mark.parametrize("model", ["openai/gpt-99", "openai/gpt-4o-mini-tts", "anthropic/claude", "other/gpt-4o"])
def test_an_unknown_price_is_none(model: str) -> None:
    assert Prices.load().find(model) is None


def test_prices_of_ones_own_go_over_the_shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = tmp_path / "prices.toml"
    own.write_text('["openai/gpt-4o"]\ninput = 1\noutput = 2\n["mine/model"]\ninput = 0\noutput = 0.5\n')
    monkeypatch.setenv("PROCTOR_PRICES", str(own))
    assert Prices.load().find("openai/gpt-4o") == Price(input=1, output=2)
    assert Prices.load().find("mine/model") == Price(input=0, output=0.5)
    assert Prices.load().find("openai/gpt-4.1") is not None


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[broken", "not TOML"),
        ('["a/b"]\ninput = 1', "output is missing"),
        ('["a/b"]\ninput = -1\noutput = 1', "input=-1"),
        ('["a/b"]\ninput = "1"\noutput = 1', "input='1'"),
        ('["a/b"]\ninput = true\noutput = 1', "input=True"),
        ('["a/b"]\ninput = 1\noutput = 1\noutptu = 2', "outptu"),
        ("a = 3", "not a table"),
    ],
)
def test_a_wrong_price_table_is_named(tmp_path: Path, text: str, named: str) -> None:
    own = tmp_path / "prices.toml"
    own.write_text(text)
    with pytest.raises(SpecError, match=named):
        Prices.load(own)
    with pytest.raises(SpecError, match=r"absent\.toml"):
        Prices.load(tmp_path / "absent.toml")


def test_calls_are_kept_until_they_are_taken() -> None:
    model = Metered(ScriptedModel(replies=["one", "two", {"error": "rate"}]))
    model.ask(ASK)
    model.ask(ASK)
    with pytest.raises(ModelError):
        model.ask(ASK)
    taken = model.take_calls()
    assert [call.error for call in taken] == ["", "", "rate"]
    assert [call.input_tokens for call in taken] == [100, 100, 100]
    assert model.take_calls() == ()


def test_a_budget_of_tokens_ends_before_the_next_call() -> None:
    script = ScriptedModel(replies=["y" * 40], repeat=True)
    model = Metered(script, Budget(tokens=200))
    model.ask(ASK)
    model.ask(ASK)
    with pytest.raises(BudgetSpent, match="220 of 200 tokens") as caught:
        model.ask(ASK)
    assert caught.value.limit == "token_limit"
    assert isinstance(caught.value, AgentError)
    assert len(script.asked) == 2


def test_a_budget_of_money_ends_before_the_next_call() -> None:
    budget = Budget(usd=0.01)
    budget.check()
    budget.add(ModelCall(model="m", cost_usd=0.01))
    with pytest.raises(BudgetSpent) as caught:
        budget.check()
    assert caught.value.limit == "cost_limit"


def test_episodes_share_the_budget_of_their_run() -> None:
    run = Budget(tokens=150)
    script = ScriptedModel(replies=["y" * 40], repeat=True)
    Metered(script, Budget(tokens=1000, within=run)).ask(ASK)
    second = Metered(script, Budget(tokens=1000, within=run))
    second.ask(ASK)
    with pytest.raises(BudgetSpent):
        second.ask(ASK)
    assert run.spent_tokens == 220


def test_money_cannot_be_limited_for_a_model_without_a_price() -> None:
    class Unpriced(ScriptedModel):
        def __init__(self) -> None:
            super().__init__(replies=["x"])
            self.price = None  # type: ignore[assignment]

    with pytest.raises(SpecError, match="PROCTOR_PRICES"):
        Metered(Unpriced(), Budget(tokens=5, within=Budget(usd=1.0)))
    assert Metered(Unpriced(), Budget(tokens=5)).price is None
    assert Metered(ScriptedModel(replies=["x"]), Budget(usd=1.0)).price == FREE


@pytest.mark.parametrize("limits", [{"tokens": 0}, {"usd": -1.0}, {"usd": float("nan")}])
def test_a_budget_of_nothing_is_a_mistake(limits: dict[str, float]) -> None:
    with pytest.raises(SpecError):
        Budget(**limits)  # type: ignore[arg-type]
