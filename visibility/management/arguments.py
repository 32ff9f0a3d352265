"""Arguments that the commands share."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any
from uuid import UUID

from django.core.management.base import CommandError, CommandParser

from apikeys.errors import ServiceError
from apikeys.models import User
from brands.models import Brand


def add_brand_arguments(parser: CommandParser) -> None:
    """The brand, for `find_brand`."""
    parser.add_argument("--brand", required=True, metavar="DOMAIN", help="the domain of the brand, or its id")
    parser.add_argument("--owner", metavar="EMAIL", help="whose brand it is, where several have the domain")


def add_export_arguments(parser: CommandParser) -> None:
    """Whose rows are written, and where to."""
    add_brand_arguments(parser)
    parser.add_argument("--out", type=Path, metavar="FILE", help="replaced if it is there; default: standard output")


def find_owner(email: str | None) -> User | None:
    """The account of --owner, None without one; raises CommandError for an address that no account has."""
    owner = User.objects.with_email(email) if email else None
    if email and owner is None:
        raise CommandError(f"No account has the address {email}. Make one: manage.py createsuperuser.")
    return owner


def find_brand(options: dict[str, Any]) -> Brand:
    """The brand of --brand and --owner; raises CommandError unless it is exactly one."""
    owner = find_owner(options["owner"])
    named: dict[str, Any] = {"domain": options["brand"]}
    with suppress(ValueError):
        named = {"pk": UUID(options["brand"])}
    brands: list[Brand] = list(Brand.objects.filter(**named, **({"owner": owner} if owner else {}))[:2])
    if not brands:
        raise CommandError(f"No brand has the domain or id {options['brand']}. Check the spelling.")
    if len(brands) > 1:
        raise CommandError(f"More than one brand has the domain {options['brand']}. Name one, with --owner.")
    return brands[0]


def add_column_argument(parser: CommandParser) -> None:
    """Which columns of a file hold which fields, for `named_columns`."""
    parser.add_argument(
        "--column",
        action="append",
        default=[],
        metavar="FIELD=NAME",
        help="repeatable: the column of the file that holds a field, such as text=Response",
    )


def named_columns(options: dict[str, Any]) -> dict[str, str]:
    """The columns of --column by their fields; raises CommandError for what has another form."""
    columns: dict[str, str] = {}
    for given in options["column"]:
        field, sign, name = given.partition("=")
        if not (sign and field.strip() and name.strip()):
            raise CommandError(f"--column {given} has another form than FIELD=NAME, such as text=Response.")
        columns[field.strip().lower()] = name
    return columns


@contextmanager
def opened(path: Path) -> Iterator[IO[str]]:
    """A file to import; raises CommandError unless it is UTF-8, and for a ServiceError inside of the block."""
    if not path.is_file():
        raise CommandError(f"{path} is no file.")
    try:
        with path.open(encoding="utf-8", newline="") as file:
            yield file
    except ServiceError as error:
        raise CommandError(error.message) from error
    except UnicodeDecodeError as error:
        raise CommandError(f"The file is not UTF-8 (byte {error.start}). Save it as UTF-8.") from error
