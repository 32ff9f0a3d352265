"""The five endpoints: parse, ask the service, answer with the resource."""

from django.http import HttpResponse
from rest_framework.request import Request

from apikeys.http.requests import read_query
from apikeys.http.views import ResourceViewSet
from apikeys.scopes import Scope
from visibility.api import descriptions as describe
from visibility.api.parameters import brand_id_of, status_of, window_of
from visibility.services.reading import reporting as reading


class BrandViewSet(ResourceViewSet):
    required_scope = Scope.READ_SITES
    lookup_field = "id"

    @describe.brand_list
    def list(self, request: Request) -> HttpResponse:
        read_query(request)
        return self.answer(request, reading.brands_of(self.caller))

    @describe.brand
    def retrieve(self, request: Request, id: str) -> HttpResponse:
        read_query(request)
        return self.answer(request, reading.brand_detail(self.caller, brand_id=brand_id_of(id)))


class VisibilityViewSet(ResourceViewSet):
    required_scope = Scope.READ_VISIBILITY

    @describe.visibility
    def list(self, request: Request, id: str) -> HttpResponse:
        first, last = window_of(read_query(request, "from", "to"))
        trend = reading.written_trend(self.caller, brand_id=brand_id_of(id), first=first, last=last)
        return self.answer(request, trend)


class RecommendationViewSet(ResourceViewSet):
    required_scope = Scope.READ_RECOMMENDATIONS

    @describe.recommendations
    def list(self, request: Request, id: str) -> HttpResponse:
        status = status_of(read_query(request, "status"))
        return self.answer(request, reading.recommendations(self.caller, brand_id=brand_id_of(id), status=status))


class RunViewSet(ResourceViewSet):
    required_scope = Scope.READ_VISIBILITY

    @describe.runs
    def list(self, request: Request, id: str) -> HttpResponse:
        read_query(request)
        return self.answer(request, reading.runs(self.caller, brand_id=brand_id_of(id)))
