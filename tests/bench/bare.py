"""The yardstick: bare DRF views over the same rows, by `.values()` and JSON, with neither door nor resources; an
empty one, and an empty endpoint behind the door.

Run as the service is, with addresses of its own: see `settings_bare.py`.
"""

from typing import Any

from a2wsgi import WSGIMiddleware
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.urls import path

application: Any = WSGIMiddleware(get_wsgi_application(), workers=settings.WEB_THREADS)

from rest_framework.renderers import JSONRenderer  # noqa: E402 - after the applications are loaded
from rest_framework.response import Response  # noqa: E402
from rest_framework.views import APIView  # noqa: E402

from apikeys.edge.rest import ResourceViewSet  # noqa: E402
from apikeys.resources import Resource  # noqa: E402
from apikeys.scopes import Scope  # noqa: E402
from brands.models import Brand  # noqa: E402
from visibility.models import DailyScore, Recommendation, Run, RunEngine  # noqa: E402

SUMMARY = ("id", "kind", "status", "trigger", "created_at", "finished_at", "score")
RUN = (*SUMMARY, "started_at", "total", "done", "failed", "low", "high", "error_code", "error_message")
DAY = ("date", "score", "low", "high", "figures", "comparable", "change", "runs")


class Bare(APIView):
    authentication_classes = ()
    permission_classes = ()
    renderer_classes = (JSONRenderer,)

    def get(self, request: Any, brand: Any = None) -> Response:
        return Response(self.rows(request, brand))


class Empty(Bare):
    def rows(self, request: Any, brand: Any) -> Any:
        return {}


class Door(ResourceViewSet):
    required_scope = Scope.READ_SITES

    def list(self, request: Any) -> Any:
        return self.answer(request, Resource())


class Brands(Bare):
    def rows(self, request: Any, brand: Any) -> Any:
        brands = Brand.objects.filter(owner=request.GET["owner"]).order_by("name").values(
            "id", "name", "domain", "cadence"
        )  # fmt: skip
        latest = Run.objects.filter(brand__in=[each["id"] for each in brands]).order_by("brand", "-created_at")
        runs = {run["brand"]: run for run in latest.distinct("brand").values("brand", *SUMMARY)}
        return {"brands": [{**each, "latestRun": runs.get(each["id"])} for each in brands]}


class OneBrand(Bare):
    def rows(self, request: Any, brand: Any) -> Any:
        run = Run.objects.filter(brand=brand).order_by("-created_at").values(*SUMMARY).first()
        return {"brand": Brand.objects.values("id", "name", "domain", "cadence").get(pk=brand), "latestRun": run}


class Visibility(Bare):
    def rows(self, request: Any, brand: Any) -> Any:
        window = (request.GET["first"], request.GET["last"])
        days = DailyScore.objects.filter(brand=brand, competitor=None, date__range=window).order_by("date")
        return {"brand": brand, "trend": [{**day.pop("figures"), **day} for day in days.values(*DAY)]}


class Recommendations(Bare):
    def rows(self, request: Any, brand: Any) -> Any:
        rows = Recommendation.objects.filter(brand=brand, status="open").order_by("-priority", "-created_at")
        return {"brand": brand, "recommendations": list(rows.values())}


class Runs(Bare):
    def rows(self, request: Any, brand: Any) -> Any:
        runs = list(Run.objects.filter(brand=brand).order_by("-created_at").values(*RUN)[:60])
        engines: dict[Any, list[str]] = {}
        asked = RunEngine.objects.filter(run__in=[run["id"] for run in runs]).values_list("run", "engine__name")
        for run, name in asked:
            engines.setdefault(run, []).append(name)
        return {"brand": brand, "runs": [{**run, "engines": engines.get(run["id"], [])} for run in runs]}


urlpatterns = [
    path("empty", Empty.as_view()),
    path("door", Door.as_view({"get": "list"})),
    path("brands", Brands.as_view()),
    path("brands/<uuid:brand>", OneBrand.as_view()),
    path("brands/<uuid:brand>/visibility", Visibility.as_view()),
    path("brands/<uuid:brand>/recommendations", Recommendations.as_view()),
    path("brands/<uuid:brand>/runs", Runs.as_view()),
]
