"""Charts as files of their own: the brand among its rivals, one engine's trend, and what became of work. That of the
brand's trend is in `trends`."""

from datetime import date
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import path
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from apikeys.db.snapshot import snapshot
from apikeys.text.file_names import file_stem
from brands.models import Brand
from visibility.pages.acts import raise_404_if_missing
from visibility.pages.present.charts.engines import engine_panels
from visibility.pages.present.charts.files import FORMATS, svg_of_intervals, svg_of_panel, svg_of_proof
from visibility.pages.present.charts.frames import WIDE
from visibility.pages.present.charts.intervals import interval_figure
from visibility.pages.present.charts.rivals import standings_of
from visibility.pages.present.charts.series import engine_series
from visibility.pages.present.frame import brand_frame
from visibility.pages.present.work import proof_shown
from visibility.services.competitors.listing import competitors_beside, names_and_generation
from visibility.services.reading import reporting
from visibility.services.recommendations.looking import recommendation_detail

FIRST_DAY = date(1970, 1, 1)


def as_file(brand: Brand, name: str, svg: str, extension: str) -> HttpResponse:
    """The picture as a download, named after the brand, the chart and the day."""
    kind = FORMATS[extension]
    stem = file_stem(brand.name) or file_stem(brand.domain)
    filename = "-".join(filter(None, [stem, name, f"{timezone.now():%Y-%m-%d}"])) + f".{extension}"
    headers = {"Content-Disposition": content_disposition_header(as_attachment=True, filename=filename) or ""}
    return HttpResponse(kind.write(svg), content_type=kind.content_type, headers=headers)


@require_safe
@login_required
@snapshot()
def rivals_file(request: HttpRequest, brand_id: UUID, extension: str) -> HttpResponseBase:
    """Where the brand stands among all its competitors; 404 before anything is measured."""
    frame = brand_frame(request, brand_id)
    if extension not in FORMATS:
        raise Http404
    standings = standings_of(competitors_beside(names_and_generation(frame.brand))[1].subjects)
    if not standings:
        raise Http404
    return as_file(frame.brand, "rivals", svg_of_intervals(frame.brand.name, interval_figure(standings)), extension)


@require_safe
@login_required
@snapshot()
def engine_file(request: HttpRequest, brand_id: UUID, extension: str) -> HttpResponseBase:
    """The trend of one engine (`?engine=`, else the first of all) over all days; 404 for one that was never measured,
    and before anything is."""
    frame = brand_frame(request, brand_id)
    if extension not in FORMATS:
        raise Http404
    last = timezone.now().date()
    trend = reporting.trend(frame.caller, brand_id=frame.brand.pk, first=FIRST_DAY, last=last).trend
    panels = engine_panels(engine_series(trend), frame=WIDE)
    key = request.GET.get("engine")
    panel = next((row for row in panels if key in (None, row.key) and row.latest), None)
    if panel is None:
        raise Http404
    return as_file(frame.brand, "engine", svg_of_panel(frame.brand.name, panel), extension)


@require_safe
@login_required
@snapshot()
def proof_file(request: HttpRequest, brand_id: UUID, recommendation_id: UUID, extension: str) -> HttpResponseBase:
    """What became of the work on a recommendation; 404 where nothing was compared yet."""
    frame = brand_frame(request, brand_id)
    with raise_404_if_missing():
        detail = recommendation_detail(frame.caller, brand_id=brand_id, recommendation_id=recommendation_id)
    proof = proof_shown(detail.proof) if detail.proof else None
    if extension not in FORMATS or proof is None or proof.plot is None:
        raise Http404
    svg = svg_of_proof(frame.brand.name, detail.topic, proof.label, proof.plot)
    return as_file(frame.brand, "proof", svg, extension)


urlpatterns = [
    path("brands/<uuid:brand_id>/rivals.<slug:extension>", rivals_file, name="rivals-file"),
    path("brands/<uuid:brand_id>/engine.<slug:extension>", engine_file, name="engine-file"),
    path(
        "brands/<uuid:brand_id>/recommendations/<uuid:recommendation_id>/proof.<slug:extension>",
        proof_file,
        name="proof-file",
    ),
]
