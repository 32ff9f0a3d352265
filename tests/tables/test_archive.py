"""Everything of a brand in one ZIP: each table as it is alone, sent while it is read."""

import io
import re
import tracemalloc
from random import Random
from zipfile import ZipFile

import pytest
from django.urls import reverse

from apikeys.operators import system_caller
from apikeys.resources import Resource
from tests.factories import AnswerFactory, BrandFactory, PromptFactory, own_pages
from tests.scans.history import TEXTS, ended_run
from visibility.models import ContentDraft
from visibility.pages import tables
from visibility.services.content.drafts import prepare_draft
from visibility.services.content.editing import edit_draft
from visibility.services.tables import archive
from visibility.services.tables.catalogue import BRAND_TABLES, Table
from visibility.services.tables.writing import csv_chunks

pytestmark = pytest.mark.django_db
OPERATOR = system_caller("test")
MEGABYTE = 2**20


@pytest.fixture
def export(client, cast):
    def go(user=cast.viewer):
        client.force_login(user)
        return client.get(reverse("brand-export", args=[cast.brand.pk]))

    return go


def test_it_holds_every_table_as_it_is_alone(export, cast):
    ended_run(cast.brand, [PromptFactory(brand=cast.brand) for _ in TEXTS])
    cast.brand.name = "Acme & Söhne/../x"
    cast.brand.save()
    response = export()
    assert response["Content-Type"] == "application/zip" and "no-store" in response["Cache-Control"]
    assert 'attachment; filename="acme' in response["Content-Disposition"].lower()
    assert "/" not in response["Content-Disposition"] and response["Content-Disposition"].endswith('.zip"')
    with ZipFile(io.BytesIO(b"".join(response.streaming_content))) as whole:
        assert whole.testzip() is None
        assert whole.namelist() == [f"{name}.csv" for name in BRAND_TABLES]
        for name, table in BRAND_TABLES.items():
            assert whole.read(f"{name}.csv") == b"".join(csv_chunks(table, OPERATOR, cast.brand)), name
        assert TEXTS[0] in whole.read("answers.csv").decode()


def test_drafts_are_in_it_as_they_were_edited_last(export, cast, owner):
    own_pages(cast.brand)
    for _ in range(2):
        prepare_draft(owner, brand_id=cast.brand.pk, topic="bikes")()
    first = ContentDraft.objects.order_by("created_at", "pk")[0]
    edit_draft(owner, draft_id=first.pk, markdown="Ours **now**.", title="Mine/../x", version=1)
    with ZipFile(io.BytesIO(b"".join(export().streaming_content))) as whole:
        one, other = (name for name in whole.namelist() if name.startswith("drafts/"))
        assert re.fullmatch(r"drafts/001-[\w-]+\.md", one) and other.startswith("drafts/002-")
        assert "Ours **now**." in whole.read(one).decode() and "in Graz" in whole.read(other).decode()


def test_a_brand_of_which_nothing_is_known_has_one_too(export):
    with ZipFile(io.BytesIO(b"".join(export().streaming_content))) as whole:
        assert whole.testzip() is None and len(whole.namelist()) == len(BRAND_TABLES)


def test_those_who_do_not_see_the_brand_get_none(export, cast, client):
    assert export(cast.stranger).status_code == 404
    client.logout()
    assert client.get(reverse("brand-export", args=[cast.brand.pk])).status_code == 302


def test_pages_lead_to_it(client, cast):
    link = reverse("brand-export", args=[cast.brand.pk])
    for user, page in ((cast.viewer, "brand-settings"), (cast.owner, "delete-brand")):
        client.force_login(user)
        assert f'href="{link}"' in client.get(reverse(page, args=[cast.brand.pk])).content.decode()


class Numbered(Resource):
    number: int
    text: str


def test_a_large_one_is_written_as_it_is_read_in_bounded_memory(monkeypatch):
    """Rows that hardly get smaller, of which the first are sent long before the last are read."""
    read, letters = [], Random(1)

    def rows(caller, of):
        for number in range(30_000):
            read[:] = [number]
            yield Numbered(number=number, text=letters.randbytes(300).hex())

    monkeypatch.setattr(archive, "BRAND_TABLES", {"many": Table(Numbered, rows), "more": BRAND_TABLES["runs"]})
    tracemalloc.start()
    try:
        chunks = archive.zip_chunks(OPERATOR, BrandFactory())
        next(chunks)
        assert read[0] < 1_000
        size = sum(len(chunk) for chunk in chunks)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert size > 8 * MEGABYTE and peak < 3 * MEGABYTE


def test_one_that_is_broken_off_gives_its_place_back(export, cast, monkeypatch):
    monkeypatch.setattr(tables, "_WAIT", 0.0)
    monkeypatch.setattr(archive, "CHUNK", 10)
    prompt = PromptFactory(brand=cast.brand)
    run = ended_run(cast.brand, [prompt], texts=TEXTS[:1])
    AnswerFactory(run=run, prompt=prompt, sample=9, position=9)
    for _ in range(20):
        response = export()
        assert response.status_code == 200
        next(response.streaming_content)
        for close in response._resource_closers:  # `close` itself would end the connection of this test
            close()
