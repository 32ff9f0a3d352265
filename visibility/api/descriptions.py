"""What the OpenAPI description says of each endpoint: parameters, answers, an example of each."""

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter

from apikeys.http.requests import unknown_parameter
from apikeys.http.schema import describe
from apikeys.scopes import Scope
from visibility.api import examples
from visibility.api.parameters import DEFAULT_STATUS, STATUSES, not_epoch_ms, unknown_status
from visibility.api.windows import MAX_EPOCH_MS
from visibility.resources.brands import BrandDetail, BrandList, RunList, Trend
from visibility.resources.recommendations import RecommendationList

BRAND_ID = OpenApiParameter(
    "id",
    OpenApiTypes.UUID,
    OpenApiParameter.PATH,
    description="a brand, as the brand list gives it",
    examples=[OpenApiExample("a brand", value=examples.BRAND_ID)],
)


def _epoch(name: str, description: str, example: int) -> OpenApiParameter:
    schema = {"type": "integer", "format": "int64", "minimum": 0, "maximum": MAX_EPOCH_MS}
    return OpenApiParameter(name, schema, description=description, examples=[OpenApiExample(name, value=example)])


brand_list = describe(
    operation="listBrands",
    summary="Brands that the key's owner owns or collaborates on, by name",
    scope=Scope.READ_SITES,
    resource=BrandList,
    example=examples.BRAND_LIST,
    invalid=unknown_parameter("page"),
    brand=False,
)
brand = describe(
    operation="getBrand",
    summary="One brand with its most recent run",
    scope=Scope.READ_SITES,
    resource=BrandDetail,
    example=examples.BRAND_DETAIL,
    parameters=[BRAND_ID],
    invalid=unknown_parameter("page"),
)
visibility = describe(
    operation="getVisibility",
    summary="Daily visibility, oldest day first; only days that were measured",
    scope=Scope.READ_VISIBILITY,
    resource=Trend,
    example=examples.TREND,
    parameters=[
        BRAND_ID,
        _epoch("from", "start of the window, epoch milliseconds; its UTC day is included; default: 30 days that "
               "end with the day of `to`", 1793491200000),
        _epoch("to", "end of the window, epoch milliseconds; its UTC day is included; default: now", 1796083199999),
    ],
    invalid=not_epoch_ms("from"),
)  # fmt: skip
recommendations = describe(
    operation="listRecommendations",
    summary="The recommendation queue, most urgent first",
    scope=Scope.READ_RECOMMENDATIONS,
    resource=RecommendationList,
    example=examples.RECOMMENDATIONS,
    parameters=[
        BRAND_ID,
        OpenApiParameter(
            "status",
            description="only recommendations in this state; `all` for every state",
            enum=STATUSES,
            default=DEFAULT_STATUS,
            examples=[OpenApiExample("what is done", value="done")],
        ),
    ],
    invalid=unknown_status(),
)
runs = describe(
    operation="listRuns",
    summary="The most recent runs, newest first, 60 at most",
    scope=Scope.READ_VISIBILITY,
    resource=RunList,
    example=examples.RUNS,
    parameters=[BRAND_ID],
    invalid=unknown_parameter("page"),
)
