"""Faults in what a figure needs, in what the account's plan allows of it, and in other tools' definitions."""

from tests.mutants.harness import Fault

_INTERVAL = ("tests/measurement/test_planning.py::TestInterval",)
_CHANGE = ("tests/measurement/test_planning.py::TestChange",)
_PLANS = ("tests/measurement/test_planning.py::TestPlan",)
_BUDGETS = ("tests/measurement/test_budget.py",)
_WORDS = ("tests/reading/test_budgets.py",)
_PLAN_PAGE = ("tests/pages/test_plan_page.py",)
_DEFINITIONS = ("tests/measurement/test_definitions.py",)
_OTHER_TOOLS = ("tests/pages/test_other_tools_page.py",)
_PLANNING = "visibility/metrics/planning.py"
_DEFINED = "visibility/metrics/definitions.py"
_READ = "visibility/services/reading/other_tools.py"

PLANNING = (
    Fault(
        "plans take all answers for independent",
        _PLANNING,
        "        spread.topic_correlation / design.topics\n        + ",
        "        0 * spread.topic_correlation / design.topics\n        + ",
        _INTERVAL,
    ),
    Fault(
        "plans forget that the interval takes the larger of two variances",
        _PLANNING,
        "student_size(1 / (inverse * _mean_of_larger(freedom)), telling)",
        "student_size(1 / inverse, telling)",
        _INTERVAL,
    ),
    Fault(
        "a planned margin is the whole width",
        _PLANNING,
        "return 50 * (high - low)",
        "return 100 * (high - low)",
        _INTERVAL,
    ),
    Fault(
        "a planned change forgets that topics move by themselves",
        _PLANNING,
        "np.sqrt(wander.run / design.topics + of_answers)",
        "np.sqrt(of_answers)",
        _CHANGE,
    ),
    Fault(
        "a planned change is seen in half of all cases",
        _PLANNING,
        "return 100 * noncentrality(design.topics - 1, ALPHA)",
        "return 70 * noncentrality(design.topics - 1, ALPHA)",
        _CHANGE,
    ),
    Fault(
        "more prompts than the plan has room for are advised",
        _PLANNING,
        "(self.prompts is None or design.prompts <= self.prompts)",
        "True",
        _PLANS,
    ),
    Fault(
        "more credits than the plan has are advised",
        _PLANNING,
        "and (self.answers is None or design.answers <= self.answers)",
        "",
        _PLANS,
    ),
    Fault(
        "what is cheaper beyond the plan comes before what it allows",
        _PLANNING,
        "needed = _fewest([design for design in designs if limits.allow(design)]) or _fewest(designs)",
        "needed = _fewest(designs)",
        _PLANS,
    ),
    Fault(
        "a brand that is named nowhere needs next to nothing",
        _PLANNING,
        "rate = min(max(spread.rate, MIN_RATE), 1 - MIN_RATE)",
        "rate = spread.rate",
        _INTERVAL,
    ),
    Fault(
        "what was measured of today's prompts is passed over",
        _PLANNING,
        "    present_reach = measured_reach\n",
        "    present_reach = None\n",
        _PLANS,
    ),
    Fault(
        "a brand that no answer names borrows from nobody",
        "visibility/metrics/budget.py",
        "if not isnan(correlation(pooled(sums)).prompt[0]):",
        "if False:",
        _BUDGETS,
    ),
    Fault(
        "prompts that name the brand need no room in the plan",
        "visibility/services/reading/budgets.py",
        "Limits(max(0, prompts - branded),",
        "Limits(prompts,",
        _WORDS,
    ),
    Fault(
        "an account without a plan is allowed all",
        "visibility/services/reading/budgets.py",
        "(allowed[name] or 0 for name in PLAN_FIELDS)",
        "(allowed[name] or 10**6 for name in PLAN_FIELDS)",
        _WORDS,
    ),
    Fault(
        "what is beyond the plan is told as if it were not",
        "visibility/services/reading/plan_words.py",
        "    if plan.is_within_limits:\n",
        "    if plan.needed:\n",
        _WORDS,
    ),
    Fault(
        "a plan costs what one engine takes",
        "visibility/services/scans/planning.py",
        "cost = sum(known, Decimal(0)) * design.prompts * Decimal(str(design.samples))",
        "cost = sum(known, Decimal(0)) * design.prompts",
        _PLAN_PAGE,
    ),
    Fault(
        "our definition weighs an engine by its answers",
        _DEFINED,
        "        cells[answer.engine][answer.prompt].append(counts)",
        '        cells[""][answer.prompt].append(counts)',
        _DEFINITIONS,
    ),
    Fault(
        "the pot is a mean of engines",
        _DEFINED,
        "value = 100 * named / len(answers) if answers else None",
        "value = _evenly(answers, Definition.OURS, _is_named).value",
        _DEFINITIONS,
    ),
    Fault(
        "named at least once wants every answer",
        _DEFINED,
        "named = sum(any(prompt) for prompt in by_prompt.values())",
        "named = sum(all(prompt) for prompt in by_prompt.values())",
        _DEFINITIONS,
    ),
    Fault(
        "a mention without a rank is behind the first three",
        _DEFINED,
        "    if answer.is_named and answer.rank is None:\n        return None\n",
        "",
        _DEFINITIONS,
    ),
    Fault(
        "letters are found in one case only",
        _DEFINED,
        "return any(name.casefold() in folded for name in names)",
        "return any(name in text for name in names)",
        _DEFINITIONS,
    ),
    Fault(
        "other definitions count prompts that name the brand",
        _READ,
        "if BRAND not in named_in(text, tracked.dictionary)",
        "if tracked",
        _OTHER_TOOLS,
    ),
    Fault(
        "other definitions take what was not found for a mention",
        _READ,
        "competitor=None).visible()",
        "competitor=None)",
        _OTHER_TOOLS,
    ),
    Fault(
        "other definitions count a rival's site as the own",
        _READ,
        'Citation.objects.restrict(caller, "view").filter(answer=OuterRef("pk"), owner=Citation.Owner.OWN)',
        'Citation.objects.restrict(caller, "view").filter(answer=OuterRef("pk"), owner=Citation.Owner.OTHER)',
        _OTHER_TOOLS,
    ),
    Fault(
        "other definitions count every day",
        _READ,
        "answers = answers_of(engine_days).filter(brand=brand, state=Answer.State.ANSWERED)",
        "answers = Answer.objects.filter(brand=brand, state=Answer.State.ANSWERED)",
        _OTHER_TOOLS,
    ),
)
