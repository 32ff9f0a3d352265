"""Faults in what is told of cited sources."""

from tests.mutants.harness import Fault

_COUNTING, _SERVICE = "visibility/measured/sources.py", "visibility/services/reading/sources.py"
_SIGHTING = "visibility/pipeline/detect/sighting.py"
_RANKING = "visibility/insights/pages/ranking.py"
_TESTS = ("tests/reading/test_sources.py",)
_PAGE_TESTS = ("tests/reading/test_pages_to_act_on.py",)

SOURCES = (
    Fault(
        "questions that name the brand count for its sources",
        _COUNTING,
        "        if prompt.branded:\n            continue\n",
        "",
        _TESTS,
    ),
    Fault(
        "a competitor counts beside a source where the question names it",
        _COUNTING,
        "rivals = answer.rivals.keys() - prompt.named",
        "rivals = answer.rivals.keys()",
        _TESTS,
    ),
    Fault(
        "comparisons decide since when a source is known",
        _SIGHTING,
        "    if run.kind != Run.Kind.VISIBILITY:\n        return\n",
        "",
        _TESTS,
    ),
    Fault(
        "an imported answer is seen on the day of the import",
        _SIGHTING,
        "run.trigger == Run.Trigger.IMPORT and answer.answered_at",
        "False",
        _TESTS,
    ),
    Fault(
        "a source is never seen earlier than when it was seen first",
        _SIGHTING,
        "if key in first and first[key] < row.day",
        "if False",
        _TESTS,
    ),
    Fault(
        "a brand is absent from its own site and its competitors'",
        _SERVICE,
        "source.tally.is_absent and source.cls not in SIDES",
        "source.tally.is_absent",
        _TESTS,
    ),
    Fault(
        "the sources of all topics stand for one",
        _SERVICE,
        "answer.prompt in subject.prompts and topic in (None, subject.prompts[answer.prompt].topic)",
        "answer.prompt in subject.prompts",
        _TESTS,
    ),
    Fault(
        "the sources may be read without the scope of prompts",
        _SERVICE,
        "    caller.require(Scope.READ_PROMPTS)\n",
        "",
        _TESTS,
    ),
    Fault(
        "a page that sells is worth acting on",
        _RANKING,
        "page.cls is SourceClass.OTHER and",
        "page.cls is SourceClass.SHOP and",
        _PAGE_TESTS,
    ),
    Fault(
        "shops are worth acting on",
        _RANKING,
        "    SourceClass.OTHER,\n)",
        "    SourceClass.OTHER,\n    SourceClass.SHOP,\n)",
        _PAGE_TESTS,
    ),
    Fault(
        "an answer that names the brand makes a page worth acting on",
        _RANKING,
        "for answer in gap_answers if not answer.brand_named",
        "for answer in gap_answers",
        _PAGE_TESTS,
    ),
    Fault(
        "a source's opportunity has the pages of others",
        "visibility/insights/content/reading.py",
        "opportunity.subject if is_source else None",
        "None",
        _PAGE_TESTS,
    ),
    Fault(
        "the brief tells of sources without the scope of prompts",
        "visibility/services/overview/brief.py",
        '"strengths", "weaknesses", "sources"',
        '"strengths", "weaknesses"',
        ("tests/reading/test_brief.py",),
    ),
)

_SUGGESTING, _GATHERED = "visibility/detection/rivals/suggesting.py", "visibility/insights/suggestions/reading.py"
_NAME_TESTS, _SCAN_TESTS = ("tests/measurement/test_suggesting.py",), ("tests/scans/test_suggestions.py",)

SUGGESTIONS = (
    Fault(
        "a shop is suggested as a competitor",
        _SUGGESTING,
        "class_called(name_key(found.name)) in barred",
        "False",
        _NAME_TESTS,
    ),
    Fault(
        "a shop is never suggested, even where shops are asked for",
        _SUGGESTING,
        "if not asked_for.search(prompt)",
        "if prompt",
        _NAME_TESTS,
    ),
    Fault(
        "a tracked company's model is suggested",
        _GATHERED,
        "            del answers[lead]\n",
        "            pass\n",
        _SCAN_TESTS,
    ),
    Fault(
        "a model is suggested beside its maker",
        _GATHERED,
        "return names, makers_of(names, answers)",
        "return names, {}",
        _SCAN_TESTS,
    ),
    Fault(
        "a line of products is taken for the company",
        "visibility/detection/rivals/makers.py",
        "if agreed[0] in domains or not is_plain(words[0]) or len(seconds) > 1:",
        "if agreed[0] in domains or len(seconds) > 1:",
        _NAME_TESTS,
    ),
    Fault(
        "what stands in brackets behind a name is taken for a part of it",
        _SUGGESTING,
        " or _ENDS.match(word) is not None",
        "",
        _NAME_TESTS,
    ),
)
