"""All tables and drafts of a brand in one ZIP, written while they are read: their number costs no memory."""

from collections.abc import Generator
from contextlib import closing
from zipfile import ZIP_DEFLATED, ZipFile

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from brands.models import Brand
from visibility.models import ContentDraft
from visibility.services.content.editing import exported
from visibility.services.tables.catalogue import BRAND_TABLES
from visibility.services.tables.writing import CHUNK, csv_chunks


class _Outlet:
    """A file that can only be written to: what is written waits here until it is taken."""

    def __init__(self) -> None:
        self._written = bytearray()

    def write(self, data: bytes) -> int:
        """Take the next bytes of the file."""
        self._written += data
        return len(data)

    def flush(self) -> None:
        """Nothing stays behind."""

    @property
    def is_full(self) -> bool:
        """Whether it is worth sending."""
        return len(self._written) >= CHUNK

    def taken(self) -> bytes:
        """What was written since it was last taken."""
        data = bytes(self._written)
        self._written.clear()
        return data


def zip_chunks(caller: Caller, brand: Brand) -> Generator[bytes]:
    """A ZIP with a CSV file for each table of the brand, each as it is alone, and its drafts as Markdown, the
    oldest first. All of it is of one moment."""
    outlet = _Outlet()
    # An outlet has no places to go back to: then each file is followed by its size, as ZIP allows.
    with snapshot(), ZipFile(outlet, "w", ZIP_DEFLATED) as archive:  # type: ignore[call-overload]
        for name, table in BRAND_TABLES.items():
            # How large it becomes is not known yet: it may be more than four gigabytes.
            with (
                archive.open(f"{name}.csv", "w", force_zip64=True) as file,
                closing(csv_chunks(table, caller, brand)) as chunks,
            ):
                for chunk in chunks:
                    file.write(chunk)
                    if outlet.is_full:
                        yield outlet.taken()
        drafts = ContentDraft.objects.restrict(caller, "view").filter(brand=brand).order_by("created_at", "pk")
        for number, draft in enumerate(list(drafts.values_list("pk", flat=True)), 1):
            text = exported(caller, draft_id=draft, format="markdown")
            archive.writestr(f"drafts/{number:03}-{text.filename}", text.body)
            yield outlet.taken()
    yield outlet.taken()
