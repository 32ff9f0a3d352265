"""Every table as a CSV file: of a brand, and of the account of who asks."""

from collections.abc import Generator, Iterator, Mapping
from threading import BoundedSemaphore
from uuid import UUID

from django.conf import settings
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

BUSY = "Other files are being downloaded now. Try again in half a minute."
_WAIT = 2.0
_AT_ONCE = BoundedSemaphore(max(settings.WEB_THREADS // 4, 1))
"""Each file holds a thread of the pages while it is sent: some stay free for those who only look."""


class _Sent:
    """The chunks of a file that is being sent. Ended, broken off or never begun, it gives its place back."""

    def __init__(self, chunks: Generator[bytes]) -> None:
        self._chunks: Generator[bytes] | None = chunks

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        try:
            return next(self._chunks or iter(()))
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the reading; closing twice does no harm."""
        chunks, self._chunks = self._chunks, None
        if chunks is not None:
            try:
                chunks.close()
            finally:
                _AT_ONCE.release()


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
    if not _AT_ONCE.acquire(timeout=_WAIT):
        return HttpResponse(BUSY, status=503, content_type="text/plain; charset=utf-8", headers={"Retry-After": "30"})
    chunks = _Sent(csv_chunks(tables[name], reader(request), of))
    return StreamingHttpResponse(chunks, content_type="text/csv; charset=utf-8", headers=headers)


urlpatterns = [
    path("brands/<uuid:brand_id>/tables/<slug:table>.csv", brand_table, name="table-csv"),
    path("account/tables/<slug:table>.csv", account_table, name="account-csv"),
]
