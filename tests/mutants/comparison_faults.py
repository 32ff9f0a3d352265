"""Faults of comparisons, and of what is put together for agents and pages."""

from tests.mutants.harness import Fault

COMPARING = (
    Fault(
        "a comparison enters the figures of its day",
        "visibility/measured/sampling.py",
        "runs = analysed_runs(tracked.generation).filter(kind=Run.Kind.VISIBILITY)",
        "runs = analysed_runs(tracked.generation)",
        ("tests/scans/test_comparison.py",),
    ),
    Fault(
        "scans ask the questions of comparisons",
        "visibility/models/prompts.py",
        "return self.filter(purpose=Purpose.VISIBILITY)",
        "return self.all()",
        ("tests/scans/test_comparison.py",),
    ),
    Fault(
        "comparisons are forgotten when names change before the first measured day",
        "visibility/pipeline/generations/planning.py",
        "not (current.is_measured or current.is_compared)",
        "not current.is_measured",
        ("tests/scans/test_comparison.py",),
    ),
    Fault(
        "a preference under a condition counts",
        "visibility/detection/stance/preference.py",
        "if HEDGED.search(plain) or NEGATED.search(plain):",
        "if NEGATED.search(plain):",
        ("tests/measurement/test_preference.py",),
    ),
    Fault(
        "an answer that decides both ways is counted for the last",
        "visibility/detection/stance/preference.py",
        "if len({each.side for each in said}) == 1:",
        "if said:",
        ("tests/measurement/test_preference.py",),
    ),
    Fault(
        "places in quoted text are those of the text before it was quoted",
        "apikeys/text/untrusted.py",
        "place += len(html.escape(clean(text[end:offset]), quote=False))",
        "place += len(text[end:offset])",
        ("tests/reading/test_prompt_detail.py",),
    ),
    Fault(
        "a competitor takes an alias of another",
        "brands/services/competitors.py",
        "in other.texts if",
        "in [other.name] if",
        ("tests/people/test_competitors.py",),
    ),
    Fault(
        "an alias of the brand is a competitor's name",
        "brands/services/names.py",
        'refuse_names_of_competitors(brand, names=added, argument="alias")',
        'refuse_names_of_competitors(brand, argument="alias")',
        ("tests/people/test_competitors.py",),
    ),
    Fault(
        "answers to an earlier wording count for the new one",
        "visibility/services/reading/mention_counts.py",
        "if current_wording:",
        "if False:",
        ("tests/reading/test_prompt_detail.py",),
    ),
    Fault(
        "the forecast counts what others pay for",
        "visibility/services/overview/portfolio.py",
        "own_brands = [brand for brand in state.brands.values() if brand.owner_id == user.pk]",
        "own_brands = list(state.brands.values())",
        ("tests/reading/test_portfolio.py",),
    ),
)
