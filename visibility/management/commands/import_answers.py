"""`manage.py import_answers`: answers captured elsewhere become scored runs."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse
from django.utils import timezone

from apikeys.errors import ErrorCode, ServiceError
from apikeys.models import User
from apikeys.operators import system_caller
from apikeys.staff.pages import adding, page_of
from apikeys.text.sentences import counted
from brands.domains import normalise_domain
from brands.models import Brand
from brands.services.lookup import named_brand
from brands.services.tracked import read_names
from visibility.demo.seeding import OWNER
from visibility.engines.surfaces import STATED
from visibility.management.bars import Bars
from visibility.metrics.shown import shown
from visibility.models import DailyScore, Run, TopicChoice
from visibility.services.competitors.names import warned_names, warning_of
from visibility.services.imports.importing import Imported, NewBrand, check_import, import_answers
from visibility.services.imports.reader import read_answers
from visibility.services.imports.storing import Stored
from visibility.services.topics.deciding import topics_question
from visibility.services.topics.proposing import Proposal, propose_topics

CALLER = system_caller("command:import_answers")
HERE = "http://127.0.0.1:8000"
"""Where manage.py serve answers."""


class Command(BaseCommand):
    help = (
        "Import answers from a JSON Lines or CSV file with the fields prompt, engine, time, text and, where there "
        "are any, sample, citations, topic and surface. A repeat adds only what is new."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="path of the file; - reads the standard input")
        target = parser.add_mutually_exclusive_group(required=True)
        target.add_argument("--brand", metavar="DOMAIN|ID", help="an existing brand")
        target.add_argument("--new-brand", nargs=2, metavar=("NAME", "DOMAIN"), help="make this brand for --owner")
        parser.add_argument("--owner", metavar="EMAIL", help="whose brand it is or becomes")
        parser.add_argument(
            "--competitor", nargs=2, action="append", default=[], metavar=("NAME", "DOMAIN"), help="of the new brand"
        )
        parser.add_argument(
            "--description", default="", metavar="TEXT", help="what the new brand sells, which helps to tell its name"
        )
        parser.add_argument(
            "--topic",
            action="append",
            default=[],
            metavar="NAME",
            help="a topic that the brand sells, once for each; all others of the brand are then not its own and "
            "leave every figure. Without it the topics wait for a decision, and count",
        )
        parser.add_argument(
            "--surface",
            choices=list(STATED),
            default="imported",
            help="where answers were taken whose line states no surface: in the app that people use, or of the API; "
            "imported (the default): nobody knows",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        target: Brand | NewBrand | None = None
        try:
            target = self._target(**options)
            # A file can be long: whatever it holds, these have to be right.
            _require_plan(target.owner)
            check_import(CALLER, target)
            with opened(options["file"]) as stream, Bars() as bars:
                rows = read_answers(stream, timezone.now(), STATED[options["surface"]])
                own = options["topic"]
                imported = import_answers(CALLER, brand=target, rows=rows, own_topics=own, progress=bars)
        except ServiceError as refusal:
            raise CommandError(f"{refusal.message}{_where_to_mend(refusal, target)}") from refusal
        self._report(imported)

    def _target(
        self,
        *,
        brand: str | None,
        new_brand: Sequence[str] | None,
        owner: str | None,
        competitor: Sequence[Sequence[str]],
        description: str,
        **options: Any,
    ) -> Brand | NewBrand:
        user = find_owner(owner) if owner else None
        if brand is not None:
            if description:
                raise CommandError("--description goes with --new-brand. Change it on the brand's page in the admin.")
            if competitor:
                raise CommandError("--competitor goes with --new-brand. Add one on the brand's page Competitors.")
            return named_brand(CALLER, brand, owner=user)
        if user is None or new_brand is None:
            raise CommandError("--new-brand needs --owner EMAIL: whose brand it becomes.")
        name, domain = new_brand
        owned = Brand.objects.restrict(CALLER, "view").filter(owner=user)
        existing: Brand | None = owned.filter(domain=normalise_domain("domain", domain)).first()
        if existing is None:
            return NewBrand(user, name, domain, [(rival, site) for rival, site in competitor], description)
        refuse_new_competitors(existing, competitor)
        self.stderr.write(f"{user.email} already has the brand {existing}: importing into it.")
        return existing

    def _report(self, imported: Imported) -> None:
        stored = imported.stored
        self.stdout.write(
            f"{imported.brand}: {stored.added} answers added, {stored.known} were there already, "
            f"{stored.prompts} prompts added."
        )
        self.stdout.write(citations_in_words(stored))
        self._warn_of_names(imported.brand)
        days = {run.started_at.date() for run in imported.runs if run.started_at}
        rows = DailyScore.objects.filter(brand=imported.brand, competitor=None, date__in=days).order_by("date")
        if rows:
            self.stdout.write(f"{'day':10}  {'engine':32} {'score':>6}  {'low–high':>13} {'answers':>8}")
        for row in rows:
            for item in [{"engine": "all", **summary_of(row)}, *row.engines]:
                self.stdout.write(line_of(row, item))
        for run in imported.runs:
            if run.error_message:
                self.stderr.write(f"Run {run.pk} ({run.started_at:%Y-%m-%d}) is {run.status}: {run.error_message}")
        self.stdout.write(where_to_look(imported.brand))
        self.stdout.write(self._topics_in_words(imported.brand))
        if any(run.status == Run.Status.FAILED for run in imported.runs):
            raise CommandError("The answers are stored, but not every day could be scored: see above.")

    def _topics_in_words(self, brand: Brand) -> str:
        """Which topics are to be decided, what is proposed, and how to answer; else which are own."""
        question = topics_question(CALLER, brand=brand)
        if not question.undecided:
            own = counted(TopicChoice.objects.filter(brand=brand, is_own=True).count(), "topic")
            return f"All topics are decided: {own} of {question.active} that are asked about count in the figures."
        proposals = propose_topics(CALLER, brand=brand)
        lines = [
            f"  {name}{_proposed(proposals[key]) if key in proposals else ''}"
            for key, name in question.undecided.items()
        ]
        return "\n".join(
            [
                f"{question.states}: which does {brand.name} sell? Until that is decided they count in its score.",
                "",
                *lines,
                "",
                f"Decide on the page {HERE}{reverse('topics-page', args=[brand.pk])}",
                'or repeat this import with each that it sells (--topic "…" --topic "…"): no other then counts.',
            ]
        )

    def _warn_of_names(self, brand: Brand) -> None:
        """Which of the brand's names need care, with what they cost on the answers that are there now."""
        names = read_names(brand)
        for warned in warned_names(names, names.spellings):
            self.stderr.write(f"{warned.name}: {warning_of(warned)}")


def _proposed(proposal: Proposal) -> str:
    return f": proposed as {'its own' if proposal.is_own else 'not its own'}. {proposal.because}"


@contextmanager
def opened(name: str) -> Iterator[BinaryIO]:
    """The file, or the standard input for `-`."""
    if name == "-":
        yield sys.stdin.buffer
        return
    try:
        with Path(name).open("rb") as stream:
            yield stream
    except OSError as error:
        raise CommandError(f"The file {name!r} cannot be read: {error.strerror}.") from error


def find_owner(email: str) -> User:
    """The account with this address."""
    user = User.objects.filter(email__iexact=email.strip()).first()
    if user is None:
        raise CommandError(
            f"No account has the address {email}. Create it at {adding(User)}"
            + (", or make the demo account with: manage.py seed_demo --no-scan" if email == OWNER else "")
            + "."
        )
    return user


def _require_plan(owner: User) -> None:
    """An account without a plan may have neither brands nor prompts."""
    if owner.plan is None:
        raise CommandError(f"{owner.email} has no plan, so nothing can be imported. Give it one at {page_of(owner)}.")


def _where_to_mend(refusal: ServiceError, target: Brand | NewBrand | None) -> str:
    """Which staff page mends what was refused, as a further sentence; empty where the command or the file does."""
    if target is None:
        return ""
    owner = target.owner
    if refusal.code == ErrorCode.QUOTA_EXCEEDED:
        return f" {owner.email} is on the plan {owner.plan}; choose another at {page_of(owner)}."
    return "" if owner.is_active else f" That is done at {page_of(owner)}."


def refuse_new_competitors(brand: Brand, competitors: Sequence[Sequence[str]]) -> None:
    """A repeat may name the competitors again, but not add one to a brand that has been measured without it."""
    known = set(brand.competitors.values_list("domain", flat=True))
    new = [name for name, domain in competitors if normalise_domain("competitor", domain) not in known]
    if new:
        raise CommandError(
            f"{brand} exists and {', '.join(new)} is not a competitor of it. Leave --competitor out, or add it on "
            "the brand's page Competitors."
        )


def citations_in_words(stored: Stored) -> str:
    """How many citations of the new answers are counted, and how many are not and why."""
    count = sum(stored.left_out.values())
    reasons = ", ".join(f"{number} × {reason}" for reason, number in stored.left_out.items())
    counts = f"{stored.citations} counted, {count} left out"
    return f"Citations of the added answers: {counts}{f': {reasons}' if reasons else ''}."


def where_to_look(brand: Brand) -> str:
    """The page of the brand, and the call that gives what was imported, however long ago that was asked."""
    scores = f"{HERE}/api/v1/brands/{brand.pk}/visibility?from=0"
    return (
        f"\nThe brand's page, for {brand.owner.email}, while manage.py serve runs on this machine:\n\n"
        f"  {HERE}{reverse('brand-page', args=[brand.pk])}\n\n"
        "Every measured day, by the API with a key of that account; without from=0 it is the last 30 days:\n\n"
        f'  curl -H "Authorization: Bearer $API_KEY" "{scores}"\n'
    )


def summary_of(row: DailyScore) -> dict[str, Any]:
    """The all-engine figures in the form of an engine's."""
    return {"score": row.score, "low": row.low, "high": row.high, "answers": row.answers}


def line_of(row: DailyScore, item: dict[str, Any]) -> str:
    """One line of the closing table; what was not measured is a dash."""
    score, low, high = ("–" if item[name] is None else shown(item[name]) for name in ("score", "low", "high"))
    interval = "–" if item["low"] is None else f"{low}–{high}"
    return f"{row.date}  {item['engine']:32} {score:>6}  {interval:>13} {item['answers']:>8}"
