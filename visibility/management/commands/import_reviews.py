"""`manage.py import_reviews`: reviews from a file become evidence of what buyers say."""

import codecs
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

from django.core.management.base import BaseCommand, CommandError

from apikeys.errors import ServiceError
from apikeys.operators import system_caller
from brands.services.lookup import named_brand
from visibility.management.commands.import_answers import find_owner, opened
from visibility.services.reviews.importing import import_reviews
from visibility.services.reviews.reader import Layout
from visibility.services.reviews.rows import FIELDS, DateOrder

CALLER = system_caller("command:import_reviews")


def _column(text: str) -> tuple[str, str]:
    field, sign, name = text.partition("=")
    if field not in FIELDS or not sign or not name.strip():
        raise ArgumentTypeError(f"{text!r} is not FIELD=COLUMN with one of the fields {', '.join(FIELDS)}")
    return field, name


def _encoding(text: str) -> str:
    try:
        codec = codecs.lookup(text)
    except LookupError:
        raise ArgumentTypeError(f"{text!r} is no encoding that Python knows, such as cp1252") from None
    if not codec._is_text_encoding:
        raise ArgumentTypeError(f"{text!r} is no encoding of text, such as cp1252")
    return codec.name


class Command(BaseCommand):
    help = (
        "Import reviews from a file with a review in each line: CSV, with commas, semicolons or tabs. Its header "
        "names the columns: text (or review), and where there are any stars (or rating), date, url, id and title. A "
        "repeat adds only what is new."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="path of the file; - reads the standard input")
        parser.add_argument("--brand", required=True, metavar="DOMAIN|ID", help="the brand that is reviewed")
        parser.add_argument("--owner", metavar="EMAIL", help="whose brand, where several have the domain")
        parser.add_argument(
            "--column",
            type=_column,
            action="append",
            default=[],
            metavar="FIELD=COLUMN",
            help=f"which column is a field ({', '.join(FIELDS)}) where its name does not tell",
        )
        parser.add_argument(
            "--header",
            default="",
            metavar="NAME,NAME",
            help="the names of the columns of a file without a header; call those that do not count as you like",
        )
        parser.add_argument("--no-quotes", action="store_true", help="quote marks are letters of the text")
        parser.add_argument("--encoding", type=_encoding, default="utf-8", help="where it is not UTF-8 or UTF-16")
        parser.add_argument(
            "--dates", choices=get_args(DateOrder), default="iso", help="how dates like 03/04/2025 are to be read"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        owner = find_owner(options["owner"]) if options["owner"] else None
        try:
            brand = named_brand(CALLER, options["brand"], owner=owner)
            with opened(options["file"]) as stream:
                imported = import_reviews(
                    CALLER, brand=brand, stream=stream, name=Path(options["file"]).name, layout=_layout(**options)
                )
        except ServiceError as refusal:
            raise CommandError(refusal.message) from refusal
        self.stdout.write(
            f"{brand}: {imported.added:,} reviews added, {imported.changed:,} changed, {imported.known:,} were there "
            "already."
        )
        if imported.added or imported.changed:
            self.stdout.write("Their themes are found by the next worker that is free: manage.py serve runs one.")


def _layout(
    *,
    column: Sequence[tuple[str, str]],
    header: str,
    no_quotes: bool,
    encoding: str,
    dates: DateOrder,
    **options: Any,
) -> Layout:
    names = [name.strip() for name in header.split(",")] if header else []
    return Layout(dict(column), names, quoted=not no_quotes, encoding=encoding, dates=dates)
