"""A file is sent while it is read, all of one moment, over a real server, too."""

import csv
import http.client
import io
import threading
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.urls import reverse

from apikeys.operators import system_caller
from apikeys.resources import Resource
from tests.factories import AnswerFactory, BrandFactory, PromptFactory, RunFactory
from tests.live import live_web, wait_for
from visibility.models import Answer
from visibility.services.tables import answers
from visibility.services.tables.catalogue import BRAND_TABLES, Table
from visibility.services.tables.writing import CHUNK, csv_chunks

OPERATOR = system_caller("test")


class Numbered(Resource):
    number: int
    text: str


def rows_in(body):
    return list(csv.DictReader(io.StringIO(body.decode("utf-8-sig"), newline="")))


@pytest.mark.django_db
def test_rows_are_read_as_they_are_sent():
    """The first chunk is there after as many rows as fill it, not after all; no row is kept."""
    read = []

    def rows(caller, of):
        for number in range(10**9):
            read.append(number)
            yield Numbered(number=number, text="x" * 1_000)

    chunks = csv_chunks(Table(Numbered, rows), OPERATOR, None)
    first = next(chunks)
    assert len(first) >= CHUNK and len(read) < 2 * CHUNK / 1_000
    second = next(chunks)
    chunks.close()
    assert b"\xef\xbb\xbf" not in second and b"number,text" not in second
    assert len(read) < 3 * CHUNK / 1_000


@pytest.mark.django_db(transaction=True)
def test_what_a_scan_writes_meanwhile_neither_doubles_rows_nor_loses_any(monkeypatch):
    """Another connection adds answers to the run that is being read and to a new one, and takes some away."""
    monkeypatch.setattr(answers, "PAGE", 2)
    monkeypatch.setattr("visibility.services.tables.writing.CHUNK", 100)
    brand = BrandFactory()
    prompt = PromptFactory(brand=brand)
    run = RunFactory(brand=brand)
    there = [AnswerFactory(run=run, prompt=prompt, sample=number, position=10 * number) for number in range(1, 8)]
    chunks = csv_chunks(BRAND_TABLES["answers"], OPERATOR, brand)
    body = next(chunks)

    def scan():
        AnswerFactory(run=run, prompt=prompt, sample=50, position=45)
        AnswerFactory(run=RunFactory(brand=brand), prompt=prompt)
        Answer.objects.filter(pk=there[-1].pk).delete()
        Answer.objects.filter(pk=there[4].pk).update(text="changed")
        connection.close()

    writer = threading.Thread(target=scan)
    writer.start()
    writer.join()
    rows = rows_in(body + b"".join(chunks))
    assert [row["id"] for row in rows] == [str(answer.pk) for answer in there]
    assert "changed" not in [row["text"] for row in rows]
    assert len(rows_in(b"".join(csv_chunks(BRAND_TABLES["answers"], OPERATOR, brand)))) == 8


@pytest.mark.server
@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_the_real_server_sends_the_file_and_lives_on_when_clients_go():
    """More broken downloads than it sends files at once, then a whole one."""
    brand = BrandFactory()
    prompt, run = PromptFactory(brand=brand), RunFactory(brand=brand)
    for number in range(1, 41):
        AnswerFactory(run=run, prompt=prompt, sample=number, position=number, text="Acme. " * 20_000)
    client = Client()
    client.force_login(brand.owner)
    cookie = f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"
    path = reverse("table-csv", args=[brand.pk, "answers"])
    with live_web(WEB_WORKERS="1", WEB_THREADS="4") as live:
        address = urlsplit(live.url).netloc

        def ask():
            sent = http.client.HTTPConnection(address, timeout=120)
            sent.request("GET", path, headers={"Cookie": cookie})
            return sent, sent.getresponse()

        broken, response = ask()
        assert response.status == 200
        response.read(1_000)
        broken.close()

        def whole():
            """The next one: the place of the broken one is free as soon as the server has noticed."""
            sent, answer = ask()
            body = answer.read()
            sent.close()
            return (answer, body) if answer.status == 200 else None

        response, body = wait_for(whole, what="a free place")
    assert response.headers["Content-Disposition"].startswith("attachment")
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert len(rows_in(body)) == 40
