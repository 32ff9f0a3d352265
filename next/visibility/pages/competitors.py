"""Who beats the brand, with what, and where: standing, head to head by topic, arguments, names nobody tracks."""

from django.http import HttpResponse
from django.urls import reverse

from brands.competitors import add_competitor
from visibility.competitors.reads import list_competitors
from visibility.evidence.reads import criteria_of
from visibility.pages import charts
from visibility.pages.frame import Visit, act, brand_page
from visibility.pages.overview import bar_of, heat_of, hue_of, hues_of, subjects_of
from visibility.scores.now_reads import Filter, now_of, standings_of


@brand_page
def competitors(visit: Visit) -> HttpResponse:
    """The brand among its competitors."""
    now = now_of(visit.brand, Filter())
    standings, hues = standings_of(now), hues_of(visit.brand)
    found = list_competitors(visit.caller, visit.brand.pk)
    return visit.show(
        "competitors.html",
        "competitors",
        standings=[(each, hue_of(each, hues), bar_of(each, hues)) for each in standings],
        heat=heat_of(visit.brand),
        subjects=subjects_of(visit.brand),
        criteria=[each for each in criteria_of(visit.brand) if each.winners],
        suggestions=[(each, charts.bar(100 * each.answers / each.of_answers)) for each in found.suggestions],
    )


def _add(visit: Visit) -> str:
    post = visit.request.POST
    name, domain = str(post.get("name", "")), str(post.get("domain", ""))
    added = add_competitor(visit.caller, brand_id=visit.brand.pk, name=name, domain=domain)
    return f"{added.name} is tracked. Its history is being counted from stored answers."


add_act = act(_add, lambda visit: reverse("brand-competitors", args=[visit.brand.pk]))
