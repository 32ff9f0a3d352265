"""The ten drafts: what is asked for, how each is shown, and what people thought of it."""

import os
import tomllib
from pathlib import Path
from typing import Any

from django.db import transaction

from apikeys.caller import Caller
from apikeys.errors import ServiceError
from apikeys.models import Plan, User
from brands.models import Brand
from tests.asking.world import BRANDS, imported, with_evidence
from visibility.resources.writing import Draft
from visibility.services.content.drafts import prepare_draft

FOLDER = Path(__file__).parent.parent.parent.parent / "docs" / "drafts"
JUDGEMENTS = Path(__file__).parent / "judgements.toml"
WANTED = (
    ("Sony", "headphones-wireless-200", "article"),
    ("Sony", "earbuds-workout-150", "faq"),
    ("Garmin", "running-watch-400", "comparison"),
    ("Garmin", "running-watch-400", "article"),
    ("Samsung", "smartphone-budget-600", "landing"),
    ("Samsung", "tv-55-inch-1000", "faq"),
    ("Apple", "laptop-general-1000", "comparison"),
    ("Samsung", "vacuum-stick-cordless", "article"),
    ("Breville", "espresso-machine-700", "faq"),
    ("Breville", "blender-high-performance", "article"),
)
REFUSED = ("Sony", "mattress-queen-side-sleeper-1500", "article")
_README = """# Ten drafts

What the embedded writer makes of real answers for five brands, whose own pages were not read: no sentence here is
theirs. So every draft is an outline with what AI answers say, each time with who says it, and the facts that only the
brand can give as gaps. A draft for a brand whose site was audited quotes its pages first.

`REFERENCE_DATA=… python -m tests.writing.drafts --write` writes them again. The answers are from
amplifying-ai/ai-product-bench (MIT), May 2025; what they say of products may be wrong, which is what the check
`answers_confirmed` is for.

| draft | checks passed | judgement | why |
|---|---|---|---|
{rows}

Refused, and not charged: {brand}, “{topic}”.

> {message}

A draft needs three passages of the brand's own pages, or six in all, two of them about the brand. One for Apple on
“smartphone-budget-600” had five, three of them about Apple: read, it was headings and gaps, and it is refused now.
With none about the brand, as here, drafts spoke of everybody else.
"""


def make(*, write: bool) -> None:
    """Have the drafts written by the service; nothing is kept in the database."""
    owner, _ = User.objects.get_or_create(email="you@example.com", defaults={"plan": Plan.objects.get(tier="scale")})
    brands = {brand.name: brand for brand in Brand.objects.filter(owner=owner)}
    if brands.keys() != BRANDS.keys():
        brands = imported(Path(os.environ["REFERENCE_DATA"]) / "real-answers" / "answers.jsonl", owner)
    with_evidence(brands.values())
    caller, judgements, rows = Caller.from_user(owner), tomllib.loads(JUDGEMENTS.read_text()), []
    for number, (name, topic, kind) in enumerate(WANTED, start=1):
        draft = _draft(caller, brands[name], topic, kind)
        file = f"{number:02}-{name.casefold()}-{topic}-{kind}.md"
        judged = judgements[file]
        passed = sum(check.passed for check in draft.checks)
        rows.append(f"| [{name}: {topic}, {kind}]({file}) | {passed}/{len(draft.checks)} | {_both(judged)} |")
        _put(FOLDER / file, shown(draft, judged), write=write)
    message = _refusal(caller, brands[REFUSED[0]])
    text = _README.format(rows="\n".join(rows), brand=REFUSED[0], topic=REFUSED[1], message=message)
    _put(FOLDER / "README.md", text, write=write)


def shown(draft: Draft, judged: dict[str, Any]) -> str:
    """A draft with its checks and judgement, in one file."""
    checks = [f"| {row.id} | {'passed' if row.passed else 'to do'} | {_cell(row.message)} |" for row in draft.checks]
    head = f"Judgement by hand: **{judged['verdict']}**. {judged['why']}"
    table = "\n".join(["| check | | what it says |", "|---|---|---|", *checks])
    return f"{head}\n\n{table}\n\n---\n\n# {draft.title}\n\n{draft.markdown}\n"


def _draft(caller: Caller, brand: Brand, topic: str, kind: str) -> Draft:
    with transaction.atomic():
        draft = prepare_draft(caller, brand_id=brand.pk, topic=topic, format=kind)().draft
        transaction.set_rollback(True)
    return draft


def _refusal(caller: Caller, brand: Brand) -> str:
    try:
        _draft(caller, brand, REFUSED[1], REFUSED[2])
    except ServiceError as error:
        return error.message
    raise AssertionError("a draft without a source about the brand was written")


def _both(judged: dict[str, Any]) -> str:
    return f"{judged['verdict']} | {_cell(judged['why'])}"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _put(file: Path, text: str, *, write: bool) -> None:
    if write:
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    else:
        print(f"{file.name}\n\n{text}")
