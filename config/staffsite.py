"""The first page of the staff pages: how the service stands, before the lists of rows."""

from typing import Any

from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils import timezone

from apikeys.signin.staffsite import StaffSite
from apikeys.staff.pages import list_of
from visibility.services.operating.status import StatusLine, service_status

PERMISSION = "visibility.view_run"
"""Who may look at runs of all brands sees how they stand, too."""


class OperatedSite(StaffSite):
    """The staff pages of the whole service."""

    index_template = "admin/status.html"

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        lines = service_status(timezone.now()) if request.user.has_perm(PERMISSION) else []
        status = [(line, _link(line)) for line in lines]
        return super().index(request, {**(extra_context or {}), "status": status})


def _link(line: StatusLine) -> str:
    """The list that shows more of the line; empty where there is none."""
    if line.rows is None:
        return ""
    return f"{list_of(line.rows)}?{line.query}" if line.query else list_of(line.rows)
