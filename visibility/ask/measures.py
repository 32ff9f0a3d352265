"""The measures that can be asked for: counted here, read by a reader, of another tool, or refused by name."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from apikeys.resources import Theirs, Worded, worded
from apikeys.scopes import Scope
from visibility.counts.rows import CountRow
from visibility.detection.folding import fold
from visibility.detection.untracked import name_key
from visibility.models.reading import Facet

MOST_IN_SENTENCE = 8
COUNTING = ("standing", "topics", "competitors", "engines", "change")
"""Subjects whose rows are counts of all kinds."""


UNTRACKED = "untracked"
"""Mentions, of names that nobody tracks alone."""


class Measure(NamedTuple):
    """What is counted. `fields`: of a row, the first is its value; `lead` begins the sentence on it; `abouts`: the
    subjects whose rows hold it, the usual one first."""

    fields: Sequence[str] = ()
    lead: str = ""
    abouts: Sequence[str] = COUNTING


class Elsewhere(NamedTuple):
    """What another tool answers, the scope that it needs, and what it has."""

    tool: str
    scope: Scope
    has: str


MEASURES: Mapping[str, Measure] = {
    "mentioned": Measure(("mentioned", "relation"), "Mentioned in"),
    "first": Measure(("first", "first_relation"), "Named before all other tracked names in"),
    "recommended": Measure(("recommended",), "Recommended (at least) in"),
    "cautioned": Measure(("cautioned",), "Warned against (at least) in"),
    "cited": Measure(("cited",), "Own site cited in", ("sources", *COUNTING)),
    "alone": Measure(("alone",), "The only tracked name in", ("topics", *COUNTING)),
    "shareOfVoice": Measure(("share_of_voice",), "Share of voice in"),
    "score": Measure(("score", "low", "high", "panel_low", "panel_high"), "Score over"),
    "relation": Measure(("relation", "chance", "without_brand", "only_brand"), abouts=("competitors", *COUNTING)),
    "margin": Measure(abouts=("standing",)),
    "promptsNeeded": Measure(abouts=("standing",)),
    "surface": Measure(("surface",), abouts=("engines",)),
    "change": Measure(abouts=("change",)),
    UNTRACKED: Measure(("mentioned",), "Not tracked, mentioned in", ("competitors",)),
    "cost": Measure(abouts=("costs",)),
}
READ: Mapping[str, Facet] = {
    "products": Facet.PRODUCT,
    "reasons": Facet.REASON,
    "limits": Facet.LIMIT,
    "warnings": Facet.WARNING,
    "prices": Facet.PRICE,
    "buyers": Facet.BUYER,
}
"""What only a reader finds in answers: an engine that writes, or a person's assistant."""
ELSEWHERE: Mapping[str, Elsewhere] = {
    "gaps": Elsewhere("get_competitor_gaps", Scope.READ_COMPETITORS, "prompts that name a rival and not the site"),
    "worstAnswer": Elsewhere("list_prompts", Scope.READ_PROMPTS, "prompts, those that name the site least first"),
    "prompts": Elsewhere("list_prompts", Scope.READ_PROMPTS, "each prompt with its counts"),
    "rank": Elsewhere("list_prompts", Scope.READ_PROMPTS, "the prompts, whose results have mean ranks"),
    "prominence": Elsewhere("get_visibility_scores", Scope.READ_VISIBILITY, "the score weighted by place"),
    "drafts": Elsewhere("get_content_opportunities", Scope.READ_CONTENT, "the drafts made already"),
    "reviews": Elsewhere("get_review_themes", Scope.READ_VOICE, "what customers say"),
    "voice": Elsewhere("get_voice_profile", Scope.READ_VOICE, "how the site writes"),
    "comparison": Elsewhere("get_latest_scan", Scope.READ_VISIBILITY, "whom engines chose when asked to"),
}
OTHER = "other"
NAMES = (*MEASURES, *READ, *ELSEWHERE, OTHER)
"""What the argument can be; whatever else is given is refused by its name."""
LIMITS = "Answers and what they cite are counted; not who asks, visits, buys or works where, nor what is to come."
_BY_KEY = {name_key(name): name for name in NAMES}


def measure_named(given: str) -> str | None:
    """The measure of this name, however it is spelled; None where there is none."""
    key = name_key(fold(given))
    return next((_BY_KEY[each] for each in (key, f"{key}s", key.removesuffix("s")) if each in _BY_KEY), None)


def nearest_measure(given: str) -> str | None:
    """The counted measure whose name is nearly this."""
    near = get_close_matches(name_key(fold(given)), map(name_key, MEASURES), n=1)
    return _BY_KEY[near[0]] if near else None


def share_in(name: str, row: CountRow) -> float | None:
    """The value of a measure in a row, a count as a part of its answers; None where it is not counted of it."""
    value = getattr(row, MEASURES[name].fields[0])
    return value / row.of if isinstance(value, int) else value


def measure_sentence(name: str, rows: Sequence[CountRow], where: str) -> Worded | None:
    """The values of a measure in these rows, the largest first, by what differs between them; None where no row has
    one."""
    measure = MEASURES[name]
    shown = sorted(
        (row for row in rows if share_in(name, row) is not None), key=lambda row: -(share_in(name, row) or 0)
    )
    if not shown:
        return None
    differs = {part: len({getattr(row, part) for row in shown}) > 1 for part in ("subject", "topic", "engine")}
    more = f"; {len(shown) - MOST_IN_SENTENCE} more" if len(shown) > MOST_IN_SENTENCE else ""

    def write(theirs: Theirs) -> str:
        def line(row: CountRow) -> str:
            value = getattr(row, measure.fields[0])
            number = f"{value:g} %" if isinstance(value, float) else f"{value} of {row.of}"
            names = [theirs(getattr(row, part) or "") for part in ("subject", "topic") if differs[part]]
            return " ".join([*names, *([row.engine or ""] if differs["engine"] else []), number])

        whose = "" if differs["subject"] else f" of {theirs(shown[0].subject)}"
        return f"{measure.lead} answers{where}{whose}: {'; '.join(map(line, shown[:MOST_IN_SENTENCE]))}{more}."

    return worded(write)
