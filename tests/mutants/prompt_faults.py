"""The faults of generated prompts: what is asked twice, of whom, and what a dry run stores."""

from tests.mutants.harness import Fault

OPTIONS = ("tests/writing/test_prompt_options.py",)
PROMPTS = ("tests/writing/test_prompts.py",)

GENERATED = (
    Fault(
        "a dry run adds the prompts",
        "visibility/services/prompts/generating.py",
        "    if dry_run:\n",
        "    if False:\n",
        PROMPTS,
    ),
    Fault(
        "nearly the same question is asked twice",
        "visibility/writers/suggesting.py",
        "return one == other or len(one & other) >= MAX_ALIKE * len(one | other)",
        "return one == other",
        OPTIONS,
    ),
    Fault(
        "any competitor is named on any topic",
        "visibility/writers/options.py",
        "task.rivals.get(topic, task.subject.rivals)",
        "task.subject.rivals",
        OPTIONS,
    ),
    Fault(
        "criteria of one topic are asked for on another",
        "visibility/writers/options.py",
        "task.criteria.get(topic, ())",
        "sum(map(list, task.criteria.values()), [])",
        OPTIONS,
    ),
    Fault(
        "a search that names the brand becomes a prompt",
        "visibility/writers/searches.py",
        " or names_any(text, names)",
        "",
        OPTIONS,
    ),
    Fault(
        "a competitor that one answer names is asked for",
        "visibility/services/prompts/material.py",
        "if count >= MIN_NAMED:",
        "if count < 0:",
        PROMPTS,
    ),
)
