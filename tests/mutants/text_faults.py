"""Faults in how an answer's text is bounded: where it ends, which places are looked at, what stands in a link."""

from tests.mutants.harness import Fault

TEXTS = (
    Fault(
        "what the interface prints below an answer is the answer's",
        "visibility/detection/text/closing.py",
        "return closing.start() if closing else len(text)",
        "return len(text)",
        ("tests/measurement/test_closing.py",),
    ),
    Fault(
        "an answer ends where it speaks of an interface's lines",
        "visibility/detection/text/closing.py",
        r'rf"\s*+(?:{told})\Z"',
        r'rf"\s*+(?:{told})"',
        ("tests/measurement/test_closing.py::test_an_answer_that_sounds_like_an_interface_stays_whole",),
    ),
    Fault(
        "a flood that does not show hides the name that does",
        "visibility/detection/detector.py",
        "_bounded(match for match in named if _is_shown(seen, match))",
        "match for match in _bounded(named) if _is_shown(seen, match)",
        (
            "tests/measurement/test_bounds.py::test_places_that_do_not_show_are_not_among_those_that_a_flood_is_cut_at",
        ),
    ),
    Fault(
        "of overlapping names the first is meant",
        "visibility/detection/names/matching.py",
        "sorted(group, key=lambda match: (match.start - match.end, match.start))",
        "sorted(group, key=lambda match: match.start)",
        ("tests/measurement/test_bounds.py",),
    ),
    Fault(
        "names that overlap a chain are left out of it",
        "visibility/detection/names/matching.py",
        "end = max(end, match.end)",
        "end = match.end",
        ("tests/measurement/test_bounds.py",),
    ),
    Fault(
        "a link to its own site does not show whose name it is",
        "visibility/detection/names/meaning.py",
        "return _is_below(host_of(self._seen.links[number][2]), hosts)",
        "return False",
        ("tests/measurement/test_bounds.py", "tests/measurement/test_detector.py", "tests/measurement/labelled"),
    ),
    Fault(
        "only the name beside a verdict gets it",
        "visibility/detection/stance/clauses.py",
        "if index == last or not self._joined(index):",
        "if True:",
        ("tests/measurement/test_bounds.py::test_names_side_by_side_share_the_words_around_all_of_them",),
    ),
    Fault(
        "the end of a text is told without what was added last",
        "visibility/detection/text/mapped.py",
        "self._read = len(self._parts)",
        "self._read = len(self._parts) + 1",
        ("tests/measurement/test_bounds.py",),
    ),
    Fault(
        "a class of the table covers nothing below its domain",
        "visibility/detection/citations/source_classes.py",
        'yield ".".join(labels[start:])',
        'yield ".".join(labels)',
        ("tests/measurement/test_source_classes.py",),
    ),
)
