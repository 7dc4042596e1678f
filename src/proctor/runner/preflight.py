"""What is looked at before a run starts, so that nothing fails minutes into it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from proctor.agents.spec import AgentSpec
from proctor.computers.images import store
from proctor.computers.perform import NEEDS
from proctor.exam.costs import refuse_silent_agents
from proctor.exam.policy import BroughtPolicy
from proctor.exam.rules import Rules
from proctor.exam.tools.toolbox import try_servers
from proctor.models import open_model
from proctor.models.usage import Budget, Metered
from proctor.runner.computer_spec import ComputerSpec
from proctor.runner.endpoints import try_endpoints
from proctor.runner.fitness import find_unfit, refuse_disturbances
from proctor.runner.loose_bounds import refuse_loose_bounds
from proctor.runner.open_agent import try_agent
from proctor.runner.plan import Plan


def images_of(plan: Plan) -> dict[str, str]:
    """Return the digests of the images that a plan needs; raises ImageError where one is missing."""
    computer = ComputerSpec.parse(plan.rules.backend)
    if computer.name != "sandbox":
        return {}
    named = {computer.options["image"]} if "image" in computer.options else plan.images
    return {name: store.find(name).digest for name in sorted(named)}


def check_agents(
    agents: Sequence[AgentSpec],
    rules: Rules,
    *,
    most_usd: float | None = None,
    offered: Mapping[str, Any] | None = None,
) -> dict[str, frozenset[str]]:
    """Open each agent once and close it, and load the policy: a wrong option or a missing key is found before a run.

    Where money is limited, by the episode or by the run, an agent whose costs cannot be counted is refused too. Returns
    what each needs of a computer, by its label.
    """
    usd = min((cap for cap in (rules.cost_usd, most_usd) if cap is not None), default=None)
    if usd is not None:
        refuse_silent_agents(agents)
    # Agents pass it on to their models, and one without a known price refuses a budget of money.
    budget = Budget(tokens=rules.tokens, usd=usd)
    needed = {spec.label: try_agent(spec, budget=budget, **(offered or {})) for spec in agents}
    if rules.policy:
        BroughtPolicy(rules.policy)
    if rules.user_model:
        open_model(rules.user_model)
    if rules.critic:
        Metered(open_model(rules.critic), Budget(usd=usd))
    actions = frozenset(NEEDS[kind] for kind in rules.actions if kind in NEEDS)
    return {label: found | actions for label, found in needed.items()}


def check_plan(
    plan: Plan,
    *,
    most_usd: float | None = None,
    skip_unfit: bool = False,
    trying: Callable[[str], object] | None = None,
    offered: Mapping[str, Any] | None = None,
    loose_limits: bool = False,
) -> Plan:
    """Return a plan whose agents can be opened, without the episodes that cannot be held.

    Args:
        plan: What is to be examined.
        most_usd: What the run may cost.
        skip_unfit: Whether to go on without episodes that cannot be held; they are raised as SpecError otherwise.
        trying: Told which models are asked for one word; None asks none.
        offered: What agents are given besides their options, where their constructors name it.
        loose_limits: Whether agents may run code of their own where a sandbox has bounds that it could pass.

    Raises SpecError for whatever else is wrong, ModelError for a model that does not answer.
    """
    ComputerSpec.parse(plan.rules.backend).constructor_options()
    needed = check_agents(plan.agents, plan.rules, most_usd=most_usd, offered=offered)
    if not loose_limits:
        refuse_loose_bounds(plan, needed)
    if plan.rules.disturb:
        refuse_disturbances(plan)
    plan = plan.refuse_unfit(find_unfit(plan, needed), skip=skip_unfit)
    try_servers(plan.rules.tool_servers)
    if trying is not None:
        try_endpoints(plan.agents, trying, user_model=plan.rules.user_model, critic=plan.rules.critic)
    return plan
