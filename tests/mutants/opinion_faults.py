"""Faults of ranks and stances: what an answer offers, and what it says of a name."""

from tests.mutants.harness import Fault

_ENTRIES = ("tests/measurement/test_entries.py",)

OPINIONS = (
    Fault(
        "an entry that comes again takes a place of its own",
        "visibility/detection/text/entries.py",
        "number = next((number for words, number in numbers if words <= each.words or each.words <= words), 0)",
        "number = 0",
        _ENTRIES,
    ),
    Fault(
        "advice on choosing counts as a list of picks",
        "visibility/detection/text/entries.py",
        "self._is_open, self._says_so, self._inside = False, False, None",
        "self._inside = None",
        _ENTRIES,
    ),
    Fault(
        "the points of an entry are entries",
        "visibility/detection/text/entries.py",
        'if head.rule == "nested" or (head.rule in ("row", "column") and head.level > 0):',
        'if head.rule in ("row", "column") and head.level > 0:',
        _ENTRIES,
    ),
    Fault(
        "a list of anything is taken for picks",
        "visibility/detection/text/entries.py",
        "self._asked = self._is_open = asked",
        "self._asked = self._is_open = True",
        _ENTRIES,
    ),
    Fault(
        "product cards tell nothing of their maker",
        "visibility/detection/text/entries.py",
        "if number := next((number for held, number in numbers if held <= words), 0):",
        "if number := 0:",
        _ENTRIES,
    ),
    Fault(
        "whatever an entry says names it",
        "visibility/detection/stance/ranking.py",
        'return entry if len(before) <= _LEADING_WORDS or before[-1].lower() == "by" else None',
        "return entry",
        _ENTRIES,
    ),
    Fault(
        "a brand has the place of its last entry",
        "visibility/detection/stance/ranking.py",
        "entry.number < ranks[subject].number",
        "entry.number > ranks[subject].number",
        _ENTRIES,
    ),
    Fault(
        "what is listed is recommended, whatever is said of it at once",
        "visibility/detection/stance/stance.py",
        '    _Rule("against at once", Stance.REJECTED, lambda said: said.has("against_head", said.clause.after)),\n',
        "",
        _ENTRIES,
    ),
    Fault(
        "a quote goes on into the next product",
        "visibility/detection/stance/ranking.py",
        "            high = min(high, self._starts[index])\n",
        "            pass\n",
        _ENTRIES,
    ),
    Fault(
        "markup makes quotes longer than they may be",
        "visibility/detection/stance/quotes.py",
        "while end - start > MAX_QUOTE and last > name[1]:",
        "while False:",
        _ENTRIES,
    ),
    Fault(
        "a mention without a rank names nobody",
        "visibility/services/prompts/detail.py",
        "        if text != Mention.Stance.NOT_FOUND:\n            earlier",
        "        if text != Mention.Stance.NOT_FOUND and rank is not None:\n            earlier",
        ("tests/reading/test_prompt_detail.py",),
    ),
    Fault(
        "stances of earlier detectors are not counted",
        "visibility/resources/prompts.py",
        'counts.get("unknown", 0) + counts.get("neutral", 0)',
        'counts.get("unknown", 0)',
        ("tests/reading/test_prompt_detail.py",),
    ),
)
