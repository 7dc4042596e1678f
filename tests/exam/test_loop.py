"""Agents at work on the fake computer: what they may do to an exam, and how each way ends."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace

import pytest

from proctor.actions.action import Action, Answer, AskUser, Click, Done, Fail, Press, RunCode, Type, Wait
from proctor.agents.agent import Turn
from proctor.errors import ModelError
from proctor.exam.policy import FunctionPolicy
from proctor.exam.rules import Rules
from proctor.exam.watchers.feedback import FeedbackWatcher
from proctor.exam.watchers.veto import VetoWatcher
from proctor.observations.observation import Observation, Want
from proctor.records import Brief, ModelCall
from proctor.runner.loop import examine
from proctor.tasks.probe_context import Ending
from tests.exam.table import Scripted, Table


def test_an_agent_that_says_done_ends() -> None:
    table = Table()
    episode = table.play([Press(keys="ctrl+s"), Done()])
    assert (episode.stop, episode.steps, episode.turns) == ("done", 1, 1)
    assert [line.get("action", {}).get("type") for line in table.notes.lines] == ["press", "done", None]
    assert table.notes.lines[-1]["end"]
    assert table.notes.lines[-1]["stop"] == "done"


@pytest.mark.parametrize(
    ("word", "stop"), [(Done(), "done"), (Answer(text="42"), "answered"), (Fail(reason="no"), "gave_up")]
)
def test_words_to_the_examiner_end_it(word: Action, stop: str) -> None:
    episode = Table().play(word)
    assert episode.stop == stop
    assert episode.signal == word
    assert episode.ending.gave_up == (stop == "gave_up")


def test_what_follows_the_last_word_is_not_performed() -> None:
    table = Table()
    episode = table.play([Done(), Type(text="too late")])
    assert episode.steps == 0
    assert table.computer.history == []


def test_steps_run_out_within_a_turn_of_fifty_actions() -> None:
    episode = Table(steps=20).play([Press(keys="a")] * 50)
    assert (episode.stop, episode.steps, episode.turns) == ("step_limit", 20, 1)


def test_the_user_answers_and_questions_are_no_steps() -> None:
    table = Table()
    episode = table.play(AskUser(question="Which brand?"), Done())
    assert [told.text for told in table.agent.seen[1].told] == ["Any brand."]
    assert table.agent.seen[1].told[0].kind == "reply"
    assert (episode.steps, len(episode.ending.asked)) == (0, 1)


def test_endless_questions_end_it() -> None:
    episode = Table(rules=Rules(fruitless=3)).play(AskUser(question="Which brand?"))
    assert episode.stop == "agent_error"
    assert len(episode.ending.asked) == 20


def test_an_impossible_action_is_told_and_the_rest_of_the_turn_left_out() -> None:
    table = Table()
    episode = table.play([Click(x=99_000, y=5), Type(text="x")], Done())
    assert episode.refused == 1
    assert episode.steps == 0
    told = table.agent.seen[1].told
    assert told[0].kind == "refused"
    assert "99000" in told[0].text
    assert "refused" in table.notes.lines[0]


def test_an_action_that_is_not_allowed_is_refused() -> None:
    table = Table()
    episode = table.play(RunCode(code="1"), Done())
    assert (episode.refused, episode.stop) == (1, "done")
    assert "not allowed" in table.agent.seen[1].told[0].text


def test_replies_that_are_not_understood_are_told_and_end_it_when_they_go_on() -> None:
    table = Table(rules=Rules(fruitless=4))
    episode = table.play(Turn(reply="hm", problem="There is no action in it."))
    assert (episode.stop, episode.parse_errors, episode.crashed) == ("agent_error", 4, False)
    assert table.agent.seen[1].told[0].text == "There is no action in it."
    assert table.notes.lines[0]["problem"] == "There is no action in it."


def test_a_model_that_declines_ends_it_with_its_words() -> None:
    episode = Table().play(Turn(reply="No, I will not  sign for her.", problem="declined", finish="refusal"))
    assert (episode.stop, episode.turns) == ("refused", 1)
    assert episode.error == "the model declined: No, I will not sign for her."


@pytest.mark.parametrize(
    "words",
    [
        "I\u2019m sorry, but I can\u2019t assist with that.",
        "Es tut mir leid, aber dabei kann ich nicht helfen (auch sp\u00e4ter nicht).",
        "\u62b1\u6b49\uff0c\u6211\u65e0\u6cd5\u534f\u52a9\u5b8c\u6210\u8fd9\u4e2a\u8bf7\u6c42\u3002",
        "Note: this task asks me to do something I must not do.",
    ],
)
def test_prose_without_an_action_again_and_again_is_a_refusal(words: str) -> None:
    episode = Table(rules=Rules(fruitless=3)).play(Turn(reply=words, problem="There is no action in it."))
    assert (episode.stop, episode.turns) == ("refused", 3)
    assert words in episode.error


@pytest.mark.parametrize(
    "reply",
    [
        "hm",
        "I click. ```json\n{}\n```",
        "Action: click(start_box='(10, 20)')",
        "<action>click</action>",
        'I will do {"type": "clik"} now',
        "pyautogui.clik(x=3)",
        "I click at 100, 200 now",
    ],
)
def test_what_tries_to_act_is_no_refusal(reply: str) -> None:
    episode = Table(rules=Rules(fruitless=3)).play(Turn(reply=reply, problem="There is no action in it."))
    assert (episode.stop, episode.turns) == ("agent_error", 3)


def test_silence_is_asked_again_once() -> None:
    empty = Turn(problem="your reply was empty", finish="empty")
    table = Table()
    episode = table.play(empty)
    assert (episode.stop, episode.turns, len(table.agent.seen)) == ("silent", 2, 2)
    # A model whose call came back empty has been asked again by its client.
    call = ModelCall(model="openai/m", asked_again=True)
    assert Table().play(replace(empty, calls=(call,))).turns == 1
    assert Table().play(replace(empty, calls=(replace(call, asked_again=False),))).turns == 2
    assert Table().play(empty, Press(keys="a"), empty, Done()).stop == "done"


@pytest.mark.parametrize("reply", ["", "I see an editor with a letter, and now I will"])
def test_a_reply_that_was_cut_off_is_no_refusal(reply: str) -> None:
    cut = Turn(reply=reply, problem="your reply was cut off", finish="length")
    episode = Table(rules=Rules(fruitless=2)).play(cut)
    assert (episode.stop, episode.error.partition("; ")[2]) == ("agent_error", "the last: your reply was cut off")


def test_what_is_wrong_with_the_last_turn_is_said() -> None:
    outside = Table(rules=Rules(fruitless=2)).play(Click(x=90_000, y=1))
    assert outside.stop == "agent_error"
    assert "outside the desktop" in outside.error


def test_a_good_turn_forgives_bad_ones() -> None:
    bad = Turn(problem="what?")
    episode = Table(rules=Rules(fruitless=2)).play(bad, Press(keys="a"), bad, Press(keys="b"), bad, Done())
    assert (episode.stop, episode.parse_errors) == ("done", 3)


def test_the_same_action_without_effect_ends_it() -> None:
    episode = Table(rules=Rules(repetition=5)).play(Click(x=3, y=700))
    assert (episode.stop, episode.steps) == ("repetition_limit", 5)


def test_the_same_action_with_effect_does_not() -> None:
    table = Table(rules=Rules(repetition=4), steps=12)
    table.computer.write_file("a.txt", b"")
    table.computer.launch(["mousepad", "a.txt"])
    assert table.play(Type(text="x")).stop == "step_limit"


@pytest.mark.parametrize("answer", [7, None, {1}])
def test_what_is_no_answer_at_all_is_the_agents_own_failure(answer: object) -> None:
    episode = Table().play(answer)
    assert (episode.stop, episode.crashed) == ("agent_error", True)
    assert "not a turn" in episode.error


def test_an_agent_that_crashes_is_judged_as_it_stands() -> None:
    table = Table()
    episode = table.play(Press(keys="a"), ZeroDivisionError("oops"))
    assert (episode.stop, episode.error, episode.steps) == ("agent_error", "ZeroDivisionError: oops", 1)
    assert table.notes.lines[-1]["stop"] == "agent_error"


def test_a_model_that_fails_makes_it_void() -> None:
    table = Table()
    table.play(ModelError("rate limit"))
    result = table.exam.end()
    assert (result.stop, result.cause, result.error) == ("void", "model", "rate limit")


def test_a_computer_that_is_lost_before_anything_was_done_makes_it_void() -> None:
    table = Table()
    table.computer.fail_next("screenshot")
    examine(table.exam, Scripted([Press(keys="a")]))
    assert (table.exam.end().stop, table.exam.end().cause) == ("void", "computer")


def test_an_agent_that_never_answers_runs_out_of_time() -> None:
    reading, writing = os.pipe()

    def never() -> Action:
        os.read(reading, 1)
        return Done()

    table = Table(seconds=0.2)
    episode = table.play(never)
    assert episode.stop == "time_limit"
    assert table.exam.clock.thought >= 0.1
    os.close(reading)
    os.close(writing)


def test_an_agent_that_swallows_every_exception_runs_out_of_time_all_the_same() -> None:
    reading, writing = os.pipe()

    def stubborn() -> Action:
        while True:
            try:
                os.read(reading, 1)
            except Exception:  # what a careless agent does
                continue

    assert Table(seconds=0.2).play(stubborn).stop == "time_limit"
    os.close(reading)
    os.close(writing)


@pytest.mark.parametrize(("rules", "stop"), [(Rules(tokens=250), "token_limit"), (Rules(cost_usd=0.025), "cost_limit")])
def test_tokens_and_money_run_out(rules: Rules, stop: str) -> None:
    call = ModelCall(model="x/y", input_tokens=90, output_tokens=10, cost_usd=0.01)
    turns = iter(range(100))
    episode = Table(rules=rules).play(lambda: Turn(actions=(Press(keys=f"f{next(turns) % 12 + 1}"),), calls=(call,)))
    assert (episode.stop, len(episode.calls)) == (stop, 3)


def test_one_who_is_done_too_early_is_told_what_is_missing() -> None:
    wishes = [("Eggs are missing.",), ()]
    asked: list[Ending] = []

    def missing(ending: Ending) -> tuple[str, ...]:
        asked.append(ending)
        return wishes.pop(0)

    table = Table(watchers=[FeedbackWatcher(missing, 3)])
    episode = table.play(Done(), Press(keys="a"), Done())
    assert (episode.stop, episode.steps, len(asked)) == ("done", 1, 2)
    assert [(told.kind, told.text) for told in table.agent.seen[1].told] == [("feedback", "Eggs are missing.")]


def test_without_feedback_nobody_is_told() -> None:
    def missing(ending: Ending) -> tuple[str, ...]:
        raise AssertionError("nobody asked")

    assert Table(watchers=[FeedbackWatcher(missing, 0)]).play(Done()).turns == 1


def test_a_veto_is_recorded_and_told() -> None:
    forbid = FunctionPolicy(lambda brief, action: "keys are forbidden" if action.kind == "press" else None)
    table = Table(watchers=[VetoWatcher(forbid)])
    episode = table.play(Press(keys="a"), Type(text="b"), Done())
    assert (episode.refused, episode.steps) == (1, 1)
    assert "keys are forbidden" in table.agent.seen[1].told[0].text


class Driving:
    """A driver that makes turns of its own."""

    want = Want()

    def __init__(self, work: Callable[[Callable[[Turn], Observation]], None]) -> None:
        self.work = work

    def start(self, brief: Brief) -> None:
        self.brief = brief

    def drive(self, step: Callable[[Turn], Observation]) -> None:
        self.work(step)


def test_a_driver_holds_the_loop() -> None:
    def work(step: Callable[[Turn], Observation]) -> None:
        seen = step(Turn(actions=(AskUser(question="the brand?"),)))
        step(Turn(actions=(Type(text=seen.told[0].text),)))
        step(Turn(actions=(Done(),)))
        raise AssertionError("the last word ends it")

    table = Table()
    table.drive(Driving(work))
    assert (table.exam.state.stop, table.exam.state.steps) == ("done", 1)


def test_a_driver_is_stopped_by_a_limit_like_any_agent() -> None:
    def work(step: Callable[[Turn], Observation]) -> None:
        while True:
            step(Turn(actions=(Wait(seconds=1),)))

    table = Table(steps=7)
    table.drive(Driving(work))
    assert (table.exam.state.stop, table.exam.state.steps) == ("step_limit", 7)


def test_what_each_line_holds() -> None:
    table = Table()
    table.computer.write_file("a.txt", b"")
    table.computer.launch(["mousepad", "a.txt"])
    call = ModelCall(model="x/y", input_tokens=5)
    table.play(
        Turn(actions=(Click(x=600, y=300), Type(text="hi")), reply="I click.", thought="hm", calls=(call,)), Done()
    )
    first, second, *_ = table.notes.lines
    assert first["reply"] == "I click."
    assert first["calls"] == [{"model": "x/y", "input_tokens": 5}]
    assert first["element"]["role"]
    assert first["turn"] == second["turn"] == 1
    assert "reply" not in second
    assert second["verified"] is True
    assert set(first["seconds"]) == {"agent", "act", "see"}


def test_a_step_on_a_view_that_no_longer_held_is_marked_and_counted() -> None:
    table = Table()

    def meanwhile() -> Action:
        table.computer.launch(["mousepad"])  # a window comes up while the agent is thinking
        return Press(keys="a")

    episode = table.play(Press(keys="b"), meanwhile, Press(keys="c"), Done())
    marks = [line.get("stale") for line in table.notes.lines]
    assert episode.stale == 1
    assert [bool(mark) for mark in marks] == [False, True, False, False, False]
    assert 0 < marks[1] <= 1
