"""The five endpoints: parse, ask the read, answer with the resource."""

import json
from pathlib import Path

from django.http import HttpResponse
from rest_framework.request import Request

from apikeys.edge.openapi import describe
from apikeys.edge.rest import ResourceViewSet, read_query
from apikeys.errors import invalid_parameter
from apikeys.scopes import Scope
from visibility.api.parameters import (
    BRAND_ID,
    FROM,
    STATUS,
    TO,
    brand_id_of,
    not_epoch_ms,
    status_of,
    unknown_status,
    window_of,
)
from visibility.overview.reads import get_brand, list_brands
from visibility.overview.resources import BrandDetail, BrandList
from visibility.recommendations.reads import list_recommendations
from visibility.recommendations.resources import Recommendations
from visibility.runs.reads import list_runs
from visibility.runs.resources import Runs
from visibility.scores.reads import read_trend
from visibility.scores.resources import Trend

EXAMPLES = json.loads(Path(__file__).with_name("examples.json").read_text())
_UNKNOWN_PARAMETER = invalid_parameter("page", "This query parameter is unknown. This endpoint takes none.")


class BrandViewSet(ResourceViewSet):
    """Brands, each with its most recent run."""

    required_scope = Scope.READ_SITES
    lookup_field = "id"

    @describe(
        operation="listBrands",
        summary="Brands that the key's owner owns or collaborates on, by name",
        scope=Scope.READ_SITES,
        resource=BrandList,
        example=EXAMPLES["listBrands"],
        invalid=_UNKNOWN_PARAMETER,
    )
    def list(self, request: Request) -> HttpResponse:
        read_query(request._request)
        return self.answer(request, list_brands(self.caller))

    @describe(
        operation="getBrand",
        summary="One brand with its most recent run",
        scope=Scope.READ_SITES,
        resource=BrandDetail,
        example=EXAMPLES["getBrand"],
        parameters=[BRAND_ID],
        invalid=_UNKNOWN_PARAMETER,
    )
    def retrieve(self, request: Request, id: str) -> HttpResponse:
        read_query(request._request)
        return self.answer(request, get_brand(self.caller, brand_id_of(id)))


class VisibilityViewSet(ResourceViewSet):
    """The daily visibility of a brand."""

    required_scope = Scope.READ_VISIBILITY

    @describe(
        operation="getVisibility",
        summary="Daily visibility, oldest day first; only days that were measured",
        scope=Scope.READ_VISIBILITY,
        resource=Trend,
        example=EXAMPLES["getVisibility"],
        parameters=[BRAND_ID, FROM, TO],
        invalid=not_epoch_ms("from"),
    )
    def list(self, request: Request, id: str) -> HttpResponse:
        first, last = window_of(read_query(request._request, "from", "to"))
        return self.answer(request, read_trend(self.caller, brand_id_of(id), first, last))


class RecommendationViewSet(ResourceViewSet):
    """The recommendation queue of a brand."""

    required_scope = Scope.READ_RECOMMENDATIONS

    @describe(
        operation="listRecommendations",
        summary="The recommendation queue, most urgent first",
        scope=Scope.READ_RECOMMENDATIONS,
        resource=Recommendations,
        example=EXAMPLES["listRecommendations"],
        parameters=[BRAND_ID, STATUS],
        invalid=unknown_status(),
    )
    def list(self, request: Request, id: str) -> HttpResponse:
        status = status_of(read_query(request._request, "status"))
        return self.answer(request, list_recommendations(self.caller, brand_id_of(id), status))


class RunViewSet(ResourceViewSet):
    """The history of a brand's runs."""

    required_scope = Scope.READ_VISIBILITY

    @describe(
        operation="listRuns",
        summary="The most recent runs, newest first, 60 at most",
        scope=Scope.READ_VISIBILITY,
        resource=Runs,
        example=EXAMPLES["listRuns"],
        parameters=[BRAND_ID],
        invalid=_UNKNOWN_PARAMETER,
    )
    def list(self, request: Request, id: str) -> HttpResponse:
        read_query(request._request)
        return self.answer(request, list_runs(self.caller, brand_id_of(id)))
