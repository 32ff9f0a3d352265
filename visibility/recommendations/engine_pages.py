"""What the pages that an engine cites have to do with whether its answers have the brand."""

from collections.abc import Sequence

from pydantic import computed_field

from apikeys.resources import Resource, UntrustedText
from visibility.metrics import chance_of_fewer
from visibility.recommendations.cited import pages_cited
from visibility.recommendations.facts import Facts, Seen, grouped
from visibility.recommendations.gaps import Hit

LEAST_CITING = 2
UNCITED_SHARE = 1 / 3
"""The part of an engine's answers without the brand that has to cite no page, for it to be shown."""
LEAST_CARRIED = 3
"""Answers with the brand that cite a page, and answers that do not cite it."""


class Split(Resource):
    """One engine names the brand in `k_cited` of `cited` answers that cite pages, in `k_bare` of `bare` that do not;
    `missing_bare` of `missing` answers without the brand cite none."""

    engine: str
    k_cited: int
    cited: int
    k_bare: int
    bare: int
    missing_bare: int
    missing: int
    is_telling: bool

    @computed_field  # type: ignore[prop-decorator]  # pydantic's way, which mypy does not know
    @property
    def missing_cited(self) -> int:
        """Answers without the brand that cite pages."""
        return self.missing - self.missing_bare


class Carrier(Resource):
    """A page with which an engine's answers have the brand: `k` of `of` that cite it, `k_other` of `of_other` that do
    not."""

    url: UntrustedText
    domain: UntrustedText
    engine: str
    k: int
    of: int
    k_other: int
    of_other: int


def splits_of(facts: Facts, answers: Sequence[Seen], missing: Sequence[Seen], hit: Hit) -> list[Split]:
    """How each engine differs by whether it cites pages, and where many answers without the brand cite none."""
    splits = []
    for engine in sorted({each.engine for each in answers}):
        rows = [each for each in answers if each.engine == engine]
        bare, cited = [each for each in rows if not each.cited], [each for each in rows if each.cited]
        k_bare, k_cited = (sum(hit(each, None) for each in part) for part in (bare, cited))
        lacking = [each for each in missing if each.engine == engine]
        missing_bare = sum(not each.cited for each in lacking)
        chance = chance_of_fewer([(k_bare, len(bare), k_bare + k_cited, len(rows))]) if bare and cited else 1.0
        is_telling = chance * len(facts.by_engine) <= facts.level
        if is_telling or missing_bare >= max(LEAST_CITING, UNCITED_SHARE * len(lacking)):
            split = {"k_cited": k_cited, "cited": len(cited), "k_bare": k_bare, "bare": len(bare)}
            splits.append(
                Split(engine=engine, missing_bare=missing_bare, missing=len(lacking), is_telling=is_telling, **split)
            )
    return splits


def carrier_of(facts: Facts, answers: Sequence[Seen], hit: Hit) -> Carrier | None:
    """The page that makes most of a difference to whether an engine's answers have the brand, on this look alone: of
    several pages one may do so by luck."""
    found: list[tuple[float, Carrier]] = []
    for engine, rows in sorted(grouped(answers, "engine").items()):
        hits = {each.pk for each in rows if hit(each, None)}
        for page, citing in pages_cited(rows):
            k, others = sum(each.pk in hits for each in citing), len(rows) - len(citing)
            k_other = len(hits) - k
            if k < LEAST_CARRIED or others < LEAST_CARRIED or page.owner:
                continue
            chance = chance_of_fewer([(k_other, others, len(hits), len(rows))])
            counts = {"k": k, "of": len(citing), "k_other": k_other, "of_other": others}
            found.append((chance, Carrier(url=page.url, domain=page.domain, engine=engine, **counts)))
    chance, carrier = min(found, key=lambda each: (each[0], each[1].url), default=(1.0, None))
    return carrier if chance <= facts.level else None
