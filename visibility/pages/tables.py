"""Every table as a CSV file: of a brand, and of the account of who asks."""

from collections.abc import Mapping
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.urls import path
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from apikeys.text.file_names import file_stem
from brands.services.access import readable_brand
from visibility.pages.acts import raise_404_if_missing, reader
from visibility.services.tables.catalogue import ACCOUNT_TABLES, BRAND_TABLES, Of, Table
from visibility.services.tables.writing import csv_chunks


@require_safe
@login_required
def brand_table(request: HttpRequest, brand_id: UUID, table: str) -> HttpResponseBase:
    """One table of a brand that the person sees."""
    with raise_404_if_missing():
        brand = readable_brand(reader(request), brand_id)
    stem = file_stem(brand.name) or file_stem(brand.domain)
    return _file(request, BRAND_TABLES, table, brand, stem)


@require_safe
@login_required
def account_table(request: HttpRequest, table: str) -> HttpResponseBase:
    """One table of all that the person sees, or of their account."""
    return _file(request, ACCOUNT_TABLES, table, None, "visibility")


def _file(request: HttpRequest, tables: Mapping[str, Table[Of]], name: str, of: Of, stem: str) -> HttpResponseBase:
    """The table as a download, sent while it is read."""
    if name not in tables:
        raise Http404
    filename = "-".join(filter(None, [stem, name, f"{timezone.now():%Y-%m-%d}"])) + ".csv"
    headers = {
        "Content-Disposition": content_disposition_header(as_attachment=True, filename=filename) or "",
        "Cache-Control": "private, no-store",
    }
    if request.method == "HEAD":
        return HttpResponse(content_type="text/csv; charset=utf-8", headers=headers)
    chunks = csv_chunks(tables[name], reader(request), of)
    return StreamingHttpResponse(chunks, content_type="text/csv; charset=utf-8", headers=headers)


urlpatterns = [
    path("brands/<uuid:brand_id>/tables/<slug:table>.csv", brand_table, name="table-csv"),
    path("account/tables/<slug:table>.csv", account_table, name="account-csv"),
]
