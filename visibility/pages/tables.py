"""Every table as a CSV file: of a brand, one or all of them in a ZIP, and of the account of who asks."""

from collections.abc import Callable, Generator, Iterator, Mapping
from functools import partial
from http import HTTPStatus
from typing import Literal
from uuid import UUID

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.urls import path
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from apikeys.caller import Caller
from apikeys.text.file_names import file_stem
from brands.models import Brand
from brands.services.access import readable_brand
from visibility.pages.acts import raise_404_if_missing, reader
from visibility.pages.places import Places
from visibility.services.tables.archive import zip_chunks
from visibility.services.tables.catalogue import ACCOUNT_TABLES, BRAND_TABLES
from visibility.services.tables.writing import csv_chunks

BUSY = "Other files are being downloaded now. Try again in half a minute."
YOURS = "Another file is being downloaded with your account. Wait until it is complete, then try again."
_TYPES: Mapping[str, str] = {"csv": "text/csv; charset=utf-8", "zip": "application/zip"}
_WAIT = 2.0
_PLACES = Places(max(settings.WEB_THREADS // 2, 1))
"""Half of the threads of the pages stay free for those who only look."""


class _Sent:
    """The chunks of a file that is being sent. Ended, broken off or never begun, it gives its place back."""

    def __init__(self, chunks: Generator[bytes], person: object) -> None:
        self._chunks: Generator[bytes] | None = chunks
        self._person = person

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
                _PLACES.leave(self._person)


@require_safe
@login_required
def brand_table(request: HttpRequest, brand_id: UUID, table: str) -> HttpResponseBase:
    """One table of a brand that the person sees."""
    caller, brand, stem = _of_brand(request, brand_id)
    if table not in BRAND_TABLES:
        raise Http404
    return _file(request, partial(csv_chunks, BRAND_TABLES[table], caller, brand), f"{stem}-{table}", "csv")


@require_safe
@login_required
def brand_export(request: HttpRequest, brand_id: UUID) -> HttpResponseBase:
    """All tables and drafts of a brand that the person sees, in one ZIP."""
    caller, brand, stem = _of_brand(request, brand_id)
    return _file(request, partial(zip_chunks, caller, brand), stem, "zip")


@require_safe
@login_required
def account_table(request: HttpRequest, table: str) -> HttpResponseBase:
    """One table of all that the person sees, or of their account."""
    if table not in ACCOUNT_TABLES:
        raise Http404
    chunks = partial(csv_chunks, ACCOUNT_TABLES[table], reader(request), None)
    return _file(request, chunks, f"visibility-{table}", "csv")


def _of_brand(request: HttpRequest, brand_id: UUID) -> tuple[Caller, Brand, str]:
    """Who asks, the brand, and what its files are called."""
    caller = reader(request)
    with raise_404_if_missing():
        brand = readable_brand(caller, brand_id)
    return caller, brand, file_stem(brand.name) or file_stem(brand.domain)


def _file(
    request: HttpRequest, read: Callable[[], Generator[bytes]], name: str, kind: Literal["csv", "zip"]
) -> HttpResponseBase:
    """The file as a download, sent while it is read."""
    filename = f"{name}-{timezone.now():%Y-%m-%d}.{kind}".removeprefix("-")
    headers = {"Content-Disposition": content_disposition_header(as_attachment=True, filename=filename) or ""}
    if request.method == "HEAD":
        return HttpResponse(content_type=_TYPES[kind], headers=headers)
    person = request.user.pk
    if not _PLACES.take(person, _WAIT):
        yours = _PLACES.has(person)
        status = HTTPStatus.TOO_MANY_REQUESTS if yours else HTTPStatus.SERVICE_UNAVAILABLE
        refusal = HttpResponse(YOURS if yours else BUSY, status=status, content_type="text/plain; charset=utf-8")
        refusal.headers["Retry-After"] = "30"
        return refusal
    return StreamingHttpResponse(_Sent(read(), person), content_type=_TYPES[kind], headers=headers)


urlpatterns = [
    path("brands/<uuid:brand_id>/tables/all.zip", brand_export, name="brand-export"),
    path("brands/<uuid:brand_id>/tables/<slug:table>.csv", brand_table, name="table-csv"),
    path("account/tables/<slug:table>.csv", account_table, name="account-csv"),
]
