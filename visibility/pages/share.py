"""The overview for people without an account: who may change a brand makes and ends links, whoever has one looks."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_safe

from apikeys.accounts.caller import Caller
from apikeys.errors import ServiceError
from apikeys.language import written_for
from brands.access import readable_brand
from brands.sharing import end_link, follow_link, share
from visibility.pages.filters import Filters
from visibility.pages.forms import IdForm
from visibility.pages.frame import Visit, act, brand_page
from visibility.pages.overview import chart_of, overview_of
from visibility.recommendations.work import work_of

SharedView = Callable[[HttpRequest, str], HttpResponse]


@brand_page
@sensitive_variables("token")
def links(visit: Visit) -> HttpResponse:
    """The links to a brand's overview. By POST one more is made, of the page with the filters of this address, and is
    shown this once."""
    filters, token = visit.filters(), ""
    if visit.request.method == "POST":
        form = IdForm(visit.request.POST)
        if not form.is_valid():
            raise Http404
        try:
            link_id = form.cleaned_data["id"]
            _, token = share(visit.caller, brand_id=visit.brand.pk, link_id=link_id, filters=filters.query)
        except ServiceError as refusal:
            messages.error(visit.request, refusal.message)
            return HttpResponseRedirect(visit.request.get_full_path())
    rows = visit.brand.share_links.select_related("made_by")
    working = set(rows.working().values_list("pk", flat=True))
    shown = [
        (each, Filters(QueryDict(each.filters), visit.brand, filters.offer), each.pk in working) for each in rows
    ]
    return visit.show(
        "share.html",
        "overview",
        filters=filters,
        made=settings.PUBLIC_URL + reverse("shared", args=[token]) if token else "",
        link_id=uuid4(),
        links=shown,
    )


def _end(visit: Visit, values: dict[str, Any]) -> str:
    end_link(visit.caller, brand_id=visit.brand.pk, link_id=values["id"])
    return gettext("The link is ended. It opens nothing any more.")


end_act = act(_end, "brand-share", IdForm)


def shared_page(view: Callable[[Visit], HttpResponse]) -> SharedView:
    """A page that opens with a working link, without an account; with any other there is nothing at the address. No
    browser stores it, no search engine shows it, and no other site learns of it."""

    @require_safe
    @never_cache
    @wraps(view)
    def of_link(request: HttpRequest, token: str) -> HttpResponse:
        try:
            link = follow_link(token)
            caller = Caller.from_link(link.pk, link.brand_id)
            brand = readable_brand(caller, link.brand_id)
        except ServiceError:
            raise Http404 from None
        with written_for(request):
            response = view(Visit(request, caller, brand, may_edit=False, link=link))
        response["X-Robots-Tag"] = "noindex, nofollow"
        response["Referrer-Policy"] = "no-referrer"
        return response

    return of_link


@shared_page
def shared(visit: Visit) -> HttpResponse:
    """The overview with the filters of the link."""
    return visit.show("brand.html", "overview", **overview_of(visit, work_of(visit.brand)))


@shared_page
def shared_chart(visit: Visit) -> HttpResponse:
    """The chart of the same as PNG."""
    return chart_of(visit)


@shared_page
def shared_method(visit: Visit) -> HttpResponse:
    """How its figures are measured."""
    return visit.show("method.html", "method")
