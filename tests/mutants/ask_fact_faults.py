"""The faults of what `ask` tells: premises that stand, figures of another day, words without marks or sentences."""

from tests.mutants.harness import Fault

ASK = "visibility/services/ask/"
TESTS = ("tests/writing/test_ask_premises.py", "tests/writing/test_ask_narrowed.py", "tests/writing/test_ask.py")
WORDING = ("tests/writing/test_wording.py",)

TELLING = (
    Fault(
        "what a question takes for granted is not corrected",
        ASK + "gathering.py",
        "premises = () if blocks(context.about) else context.about.premises",
        "premises = ()",
        TESTS,
    ),
    Fault(
        "seldom is taken for never",
        ASK + "kinds/premises.py",
        'verdict = "confirmed" if not tally.named else "rarely" if tally.share <= RARELY else "false"',
        'verdict = "confirmed" if tally.share <= RARELY else "false"',
        TESTS,
    ),
    Fault(
        "a share in a question is right within the interval",
        ASK + "kinds/premises.py",
        "is_true = abs(premise.value - score) <= CLOSE",
        "is_true = abs(premise.value - score) <= 20",
        TESTS,
    ),
    Fault(
        "a fall that is not confirmed is true",
        ASK + "kinds/premises.py",
        'key, verdict = "premise_unchanged", "not_confirmed"',
        'key, verdict = "premise_unchanged", "confirmed"',
        TESTS,
    ),
    Fault(
        "of a brand that is left out its gaps are not told",
        ASK + "gathering.py",
        "[*(BEHIND if is_behind else ()), *",
        "[*",
        TESTS,
    ),
    Fault(
        "an engine's figures stand on the day of another",
        ASK + "kinds/rivals.py",
        'place |= {"engine": engine, "day": counts.by_engine[engine][-1].day}',
        'place |= {"engine": engine}',
        TESTS,
    ),
    Fault(
        "who is asked about does not come first",
        ASK + "kinds/rivals.py",
        "everybody = [*own_side, *rivals] if context.about.own else [*rivals, *own_side]",
        "everybody = [*own_side, *rivals]",
        TESTS,
    ),
    Fault(
        "the ranking forgets the score",
        ASK + "kinds/rivals.py",
        "    if isinstance(score, float):\n        return score\n",
        "",
        TESTS,
    ),
    Fault(
        "a topic without prompts is answered with the whole",
        ASK + "unanswered.py",
        "return bool(about.unread and not about.narrowing)",
        "return False",
        TESTS,
    ),
    Fault(
        "several days are given as one figure",
        ASK + "kinds/figures.py",
        "    if not counts.is_whole or ",
        "    if ",
        TESTS,
    ),
    Fault(
        "the last confirmed change is forgotten",
        ASK + "kinds/changes.py",
        "            facts += _last_change(context, subject)\n",
        "",
        TESTS,
    ),
    Fault(
        "what is not understood is answered with an overview",
        ASK + "gathering.py",
        "    if not kinds and not not_known.facts:\n",
        "    if False:\n",
        TESTS,
    ),
    Fault(
        "an account's credits are told as a site's",
        ASK + "gathering.py",
        "return item if item.site or kind in OF_THE_ACCOUNT else",
        "return item if item.site else",
        TESTS,
    ),
    Fault(
        "answers are in English whatever the question's language",
        ASK + "wording/saying.py",
        "name = language if language in WORDINGS else DEFAULT_LANGUAGE",
        "name = DEFAULT_LANGUAGE",
        (*WORDING, *TESTS),
    ),
    Fault(
        "numbers are in English whatever the language",
        ASK + "wording/saying.py",
        "with translation.override(name):",
        "with translation.override(DEFAULT_LANGUAGE):",
        WORDING,
    ),
    Fault(
        "a language may lack a sentence",
        ASK + "wording/saying.py",
        "    if missing := set(known) - set(entries):\n",
        "    if missing := set():\n",
        WORDING,
    ),
    Fault(
        "a sentence may have places that nothing fills",
        ASK + "wording/saying.py",
        "    if place.name not in values:\n",
        "    if False:\n",
        WORDING,
    ),
    Fault(
        "nothing counts as one in every language",
        ASK + "wording/saying.py",
        "(value == 0 and wording.zero_is_one)",
        "(value == 0)",
        WORDING,
    ),
    Fault(
        "a part without its value is said",
        ASK + "wording/templates.py",
        'return all(values.get(name) not in (None, "", (), []) for name in own)',
        "return True",
        WORDING,
    ),
    Fault(
        "topics in values are plain",
        "visibility/resources/writing.py",
        "    return value if name in OUR_WORDS and not has_rows else _marked_values(value)",
        "    return value",
        WORDING,
    ),
    Fault(
        "rows hide the words of others",
        "visibility/resources/writing.py",
        "if name in OUR_WORDS and not has_rows else",
        "if name in OUR_WORDS else",
        WORDING,
    ),
)
