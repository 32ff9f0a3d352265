"""The web page of what is said for buyers: by what answers judge, what the brand claims, what reviews speak of, and
how the brand's own pages sound; each with the words that show it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django import forms
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_safe

from apikeys.db.snapshot import snapshot
from apikeys.text.sentences import one_line
from visibility.pages.acts import raise_404_if_missing
from visibility.pages.present.frame import brand_frame
from visibility.pages.present.links import Link, link_to
from visibility.resources.voice import Quote
from visibility.services.evidence.voice import evidence_reports

_SENTENCE = re.compile(r"(?<=\.)\s+")
SHOWN = 10
"""Criteria, claims and themes that are shown at first; the address asks for all."""
QUOTES = 3
"""Quotes of each."""
BACKING = {
    "sourced": "with a source",
    "number_without_source": "a number without a source",
    "bare": "without proof",
}
SAID = {
    "supported": "answers say it, too",
    "contradicted": "answers say otherwise",
    "absent": "answers do not say it",
}
TRAITS = {
    "readability": "Readability",
    "sentence_length": "Length of sentences",
    "you_share": "Sentences that speak to you",
    "we_share": "Sentences that speak of us",
    "contractions": "Contractions",
    "long_words": "Long words",
    "numbers": "Sentences with numbers",
}


class AllForm(forms.Form):
    """Whether the address asks for all of it."""

    all = forms.BooleanField(required=False)


@dataclass(frozen=True, slots=True)
class ShownQuote:
    """Words of others with where they stand: an answer, or a page to follow."""

    text: str
    answer: UUID | None
    engine: str
    link: Link | None


@require_safe
@login_required
@snapshot()
def evidence_page(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """What was found in answers, pages and reviews, the weightiest first."""
    frame = brand_frame(request, brand_id)
    form = AllForm(request.GET)
    most = None if form.is_valid() and form.cleaned_data["all"] else SHOWN
    with raise_404_if_missing():
        reports = evidence_reports(frame.caller, brand_id=brand_id)
    criteria, claims, themes, voice = reports.criteria, reports.claims, reports.themes, reports.voice
    context = frame.context(
        "evidence-page",
        criteria=criteria,
        criterion_rows=[(item, quotes_of(item.quotes)) for item in criteria.criteria[:most]],
        claims=claims,
        claim_rows=[
            (item, BACKING[item.backing], SAID[item.engines_say], quotes_of(item.ours[:1]), quotes_of(item.quotes))
            for item in claims.claims[:most]
        ],
        themes=themes,
        theme_rows=[(item, quotes_of(item.quotes)) for item in themes.themes[:most]],
        voice=voice,
        traits=[(TRAITS[figure.trait], figure) for figure in voice.profile.figures] if voice.profile else [],
        missing={
            "criteria": for_people(criteria.how_to_get_data),
            "claims": for_people(claims.how_to_get_data),
            "themes": for_people(themes.how_to_get_data),
            "voice": for_people(voice.how_to_get_one),
        },
        is_cut=most is not None,
        shown_at_first=SHOWN,
    )
    return render(request, "visibility/evidence_page.html", context)


def for_people(sentence: str | None) -> str:
    """Why something is missing, without the sentences that tell agents what to call."""
    return " ".join(part for part in _SENTENCE.split(sentence or "") if settings.TOOL_PREFIX not in part)


def quotes_of(quotes: Iterable[Quote]) -> list[ShownQuote]:
    """The first quotes, each with the way to where it stands."""
    return [
        ShownQuote(quote.text, quote.answer_id, one_line(quote.engine or ""), link_to(quote.url))
        for quote in list(quotes)[:QUOTES]
    ]


urlpatterns = [path("brands/<uuid:brand_id>/evidence", evidence_page, name="evidence-page")]
