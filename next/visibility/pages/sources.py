"""What AI reads: the sites that answers cite, by kind, and the pages of one of them."""

from collections import Counter

from django.db.models import Count
from django.http import HttpResponse

from visibility.models import Citation, CitedPage
from visibility.pages import charts
from visibility.pages.frame import Visit, brand_page
from visibility.scores.pivot import count_period
from visibility.sources.cited import cited_sites


@brand_page
def sources(visit: Visit) -> HttpResponse:
    """All sites, or with `site` in the address the pages of one."""
    sites = cited_sites(visit.brand)
    kinds = Counter[str]()
    for each in sites:
        kinds[each.source_class] += each.citing
    most = max(kinds.values(), default=1)
    chosen = visit.query.get("site", "")
    answers = count_period(visit.brand).answers
    cited = (
        Citation.objects.filter(answer__in=answers, domain=chosen).order_by() if chosen else Citation.objects.none()
    )
    pages = cited.values("url", "title").annotate(number=Count("answer", distinct=True)).order_by("-number", "url")
    known = {page.url: page for page in CitedPage.objects.filter(brand=visit.brand)}
    return visit.show(
        "sources.html",
        "sources",
        sites=sites,
        kinds=[(kind, number, charts.bar(100 * number / most)) for kind, number in kinds.most_common()],
        chosen=chosen,
        pages=[(page, known.get(page["url"])) for page in pages[:100]],
    )
