"""What reviews complain about, to be answered.

Open: at least ten reviews, five of which and a twentieth of all speak of it, on the whole badly or mixed. Closed: as
many speak of it well, or themes of as many reviews have it no more. Themes whose tone cannot be told say nothing.
"""

import hashlib
from collections.abc import Iterable, Sequence

from django.utils.formats import date_format

from apikeys.text.sentences import one_line, shortened
from visibility.evidence.types import Polarity, Theme
from visibility.insights.recommendations.citing import closed
from visibility.insights.recommendations.kind import (
    Basis,
    Effect,
    Effort,
    Factors,
    Fix,
    Observation,
    ProvenBy,
    Standing,
    Words,
)
from visibility.insights.recommendations.material import Material
from visibility.insights.recommendations.quoting import of_review
from visibility.insights.recommendations.wording import MAX_TITLE
from visibility.metrics.shown import shown

MIN_REVIEWS = 10
MIN_SPEAKING = 5
MIN_SHARE = 0.05
MAX_LABEL = 60
MAX_EVIDENCE = 5
MAX_STORED = 30
"""As many themes as evidence keeps."""


class ReviewThemes:
    """Themes that reviews speak badly of."""

    id = "review_theme"
    reason = "Engines sum reviews up: what many of them complain about becomes what answers warn of."
    basis = Basis.EVIDENCE
    proven_by = ProvenBy.NOTHING
    max_open = 5

    def observe(self, material: Material) -> Iterable[Observation]:
        """Each theme whose tone is known, and stored ones that reviews have no more."""
        stored = material.themes
        if stored is None or stored.reviews < MIN_REVIEWS:
            return []
        themes = stored.content
        subjects = {subject_of(theme) for theme in themes}
        return [
            *(_observation(material, theme) for theme in themes if theme.polarity),
            *(
                closed(material, subject, topic, stored.used)
                for subject, topic in material.standing.get(self.id, ())
                if subject not in subjects and len(themes) < MAX_STORED
            ),
        ]

    def words(self, material: Material, observations: Sequence[Observation]) -> Sequence[Words]:
        """What is said of each; nothing more is read."""
        return [_words(material, row.details) for row in observations]


def subject_of(theme: Theme) -> str:
    """The theme by its name."""
    return f"theme:{hashlib.sha256(one_line(theme.label).casefold().encode()).hexdigest()}"


def _observation(material: Material, theme: Theme) -> Observation:
    enough = theme.count >= max(MIN_SPEAKING, MIN_SHARE * theme.reviews) and theme.reviews >= MIN_REVIEWS
    standing = Standing.CLOSED if theme.polarity is Polarity.POSITIVE else Standing.OPEN
    answers = len(material.answers)
    return Observation(
        subject=subject_of(theme),
        standing=standing if enough else Standing.BETWEEN,
        factors=Factors(
            answers=theme.count,
            of_answers=theme.reviews,
            engines=0,
            of_engines=len(material.engines) if answers else 1,
            reach=min(1.0, theme.answers / answers) if answers else 0.0,
            effect=Effect.UNKNOWN,
            effort=Effort.MEDIUM,
        ),
        details=theme,
    )


def _words(material: Material, theme: Theme) -> Words:
    brand, label = one_line(material.brand.name), shortened(one_line(theme.label), MAX_LABEL)
    tone = "badly" if theme.polarity is Polarity.NEGATIVE else "mixed"
    stars = f", {shown(theme.mean_stars)} stars on average" if theme.mean_stars is not None else ""
    source = " by their words" if theme.estimated else ""
    trend = f" They become {'more' if theme.trend == 'rising' else 'fewer'}." if theme.trend in _MOVING else ""
    as_of = material.themes.as_of if material.themes else None
    return Words(
        title=shortened(
            f"Answer what reviews of {brand} say of “{label}”: {theme.count} of {theme.reviews} speak of it"
            f"{', mostly badly' if tone == 'badly' else ', some of them badly'}",
            MAX_TITLE,
        ),
        summary=f"Reviews that speak of “{label}”{f' ({date_format(as_of)})' if as_of else ''}: {theme.count} of "
        f"{theme.reviews}, {tone}{source}{stars}.{trend} Answers that speak of it: {theme.answers}.",
        evidence=[of_review(quote) for quote in theme.quotes[:MAX_EVIDENCE]],
        fix=Fix(
            goal=f"Answer what reviewers of {brand} complain about under “{label}”, openly and with facts.",
            tasks=(
                "Sum the quoted reviews up in neutral words: what happened, to whom, how often.",
                "Say what the brand does about it: what has changed since, what buyers can do, whom they can ask. "
                "Use facts that I give you; mark what is missing as [fact needed: …].",
                "Draft a section for the product or help page that takes the complaint up under a heading in the "
                "words of the reviewers.",
                "Draft a short, courteous reply to each quoted review, signed by the brand.",
            ),
            keep=(
                "Write no reviews, ask for none in return for anything, and have none removed because they are bad.",
                "Promise nothing that is not decided.",
            ),
            done_when="The section is published and the replies are posted; later reviews show whether it is still "
            "a complaint.",
        ),
    )


_MOVING = ("rising", "falling")
