"""The runs of a brand, a page of them at a time."""

from typing import Any
from uuid import UUID

from django.core.paginator import Page, Paginator

from apikeys.caller import Caller
from apikeys.scopes import Scope
from visibility.models import Run
from visibility.resources.brands import RunResource
from visibility.services.scans.status import run_resource_for

RUNS_ON_PAGE = 30


def run_history(caller: Caller, *, brand_id: UUID, kind: str | None = None, number: Any = 1) -> Page[RunResource]:
    """That page of the runs of one kind or of any, newest first; the nearest one that there is. A brand that the
    caller cannot see has none."""
    caller.require(Scope.READ_VISIBILITY)
    runs = Run.objects.restrict(caller, "view").filter(brand=brand_id).order_by("-created_at", "-id")
    if kind is not None:
        runs = runs.filter(kind=kind)
    page = Paginator(runs, RUNS_ON_PAGE).get_page(number)
    page.object_list = [run_resource_for(caller, run) for run in page.object_list]
    return page
