"""Faults in the figures beside the main ones, in suggestions, and in the care that names need."""

from tests.mutants.harness import Fault

STANDING = (
    Fault(
        "an engine that cites nothing has an impression share of nothing",
        "visibility/metrics/further.py",
        "(engines & self.citing)[table.engine]",
        "engines[table.engine]",
        ("tests/measurement/test_further.py",),
    ),
    Fault(
        "answers to questions that name the brand make it look steadier",
        "visibility/metrics/further.py",
        "if not table.named[row].any():",
        "if True:",
        ("tests/measurement/test_further.py",),
    ),
    Fault(
        "history is measured in the locale of today",
        "visibility/measured/sample_rows.py",
        '"prompt__topic", "locale", "text")',
        '"prompt__topic", "prompt__locale", "text")',
        ("tests/scans/test_scoring.py",),
    ),
    Fault(
        "a question is asked in the locale of today",
        "visibility/pipeline/ask/items.py",
        "versions = PromptVersion.objects.in_bulk({version for _, _, version in rows})\n"
        "    questions = {pk: Question(version.text, version.locale)",
        "versions = PromptVersion.objects.in_bulk({version for _, _, version in rows})\n"
        "    questions = {pk: Question(version.text, version.prompt.locale)",
        ("tests/scans/test_locales.py",),
    ),
    Fault(
        "the engine's offsets are not looked at",
        "visibility/pipeline/detect/citing.py",
        "sentences = attach(read)",
        "sentences = attach(Reading(read.text, [Source(source.url) for source in read.sources]))",
        ("tests/scans/test_standing.py",),
    ),
    Fault(
        "a name of one answer is suggested",
        "visibility/insights/suggestions/reading.py",
        "MIN_ANSWERS = 2",
        "MIN_ANSWERS = 1",
        ("tests/scans/test_suggestions.py",),
    ),
    Fault(
        "a dismissed suggestion is offered again",
        "visibility/services/competitors/suggestions.py",
        "filter(brand=names.brand, dismissed_at=None)",
        "filter(brand=names.brand)",
        ("tests/scans/test_suggestions.py",),
    ),
    Fault(
        "a watched name is suggested until history is measured again",
        "visibility/services/competitors/suggestions.py",
        "if tracked.isdisjoint({row.key, name_key(row.name)})",
        "if True",
        ("tests/scans/test_suggestions.py",),
    ),
    Fault(
        "a suggestion is dismissed by who may only look",
        "visibility/services/competitors/suggestions.py",
        "editable_brand(caller, brand_id, lock=True)",
        "lock_brand(readable_brand(caller, brand_id))",
        ("tests/scans/test_suggestions.py",),
    ),
    Fault(
        "where it is sold is taken for a competitor",
        "visibility/detection/rivals/suggesting.py",
        " and not answer.labels.hide(start)",
        "",
        ("tests/measurement/test_suggesting.py",),
    ),
    Fault(
        "what stands beside the brand, too, is proposed to forbid it",
        "visibility/detection/names/proposing.py",
        "if count >= OFTEN and word not in allowed",
        "if count >= OFTEN",
        ("tests/measurement/test_proposing.py",),
    ),
    Fault(
        "an e-bike is suggested as a competitor",
        "visibility/detection/rivals/suggesting.py",
        '_WORD.findall(_LETTERED.sub("", word))',
        "_WORD.findall(word)",
        ("tests/measurement/test_suggesting.py",),
    ),
    Fault(
        "words of marks touch what is told above them",
        "visibility/pages/present/charts/frames.py",
        "right=12.0, top=54.0)",
        "right=12.0, top=46.0)",
        ("tests/pages/test_charts.py",),
    ),
)
