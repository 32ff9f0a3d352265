"""The web page of one prompt: its results, whom answers name beside the brand, and what they say word for word."""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_safe

from apikeys.snapshot import snapshot
from visibility.highlighting import pieces
from visibility.page_acts import found, reader
from visibility.services.prompt_detail import prompt_competitor_results, prompt_detail
from visibility.services.reading import brand_detail


@require_safe
@login_required
@snapshot()
def prompt_page(request: HttpRequest, brand_id: UUID, prompt_id: UUID) -> HttpResponse:
    """One prompt of the brand, with its latest answers in which the names are marked."""
    caller = reader(request)
    with found():
        detail = prompt_detail(caller, prompt_id=prompt_id)
        results = prompt_competitor_results(caller, prompt_id=prompt_id)
        brand = brand_detail(caller, brand_id=brand_id).brand
    if detail.site != brand_id:
        raise Http404
    context = {
        "brand": brand,
        "detail": detail,
        "prompt": detail.prompt,
        "subjects": [each for each in results.subjects if each.competitor is None or each.named],
        "answers": [(answer, pieces(answer)) for answer in detail.latest_answers],
    }
    return render(request, "visibility/prompt_page.html", context)


urlpatterns = [path("brands/<uuid:brand_id>/prompts/<uuid:prompt_id>", prompt_page, name="prompt-page")]
