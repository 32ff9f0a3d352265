"""Many prompts at once, one on each line: what can be kept is added, other lines are given back with the reason."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from django.db import transaction

from apikeys.caller import Caller
from apikeys.errors import ServiceError, invalid
from apikeys.scopes import Scope
from brands.models import Brand
from brands.services.access import editable_brand
from visibility.models import Prompt
from visibility.services.prompts.editing import (
    PromptDraft,
    add_prompts,
    cleaned_draft,
    known_prompts,
    no_room,
    prompt_digest,
    prompt_quota,
)

MAX_LINES = 5_000
"""Lines that are taken at once; a longer list is refused whole."""
COLUMNS = ("text", "topic", "stage", "intent", "persona", "locale")
"""What the cells of a line are, between tabs, as spreadsheets copy them."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A line that was not added: its number (1 for the first), as it was typed, and why."""

    line: int
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Pasted:
    """What came of a list: prompts that are new, that came back from the archive; lines that are asked already, and
    lines that were refused."""

    created: Sequence[Prompt] = ()
    restored: Sequence[Prompt] = ()
    repeated: list[LeftOut] = field(default_factory=list)
    refused: list[LeftOut] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    typed: str
    draft: PromptDraft
    digest: str
    is_archived: bool = False


@dataclass(frozen=True, slots=True)
class Preview:
    """What adding a list would do: the texts of prompts that would be new or come back from the archive; lines that
    are asked already, and lines that would be refused."""

    created: Sequence[str]
    restored: Sequence[str]
    repeated: Sequence[LeftOut]
    refused: Sequence[LeftOut]


def preview_prompts(caller: Caller, *, brand_id: UUID, text: str, shared: PromptDraft) -> Preview:
    """What `paste_prompts` would do with the same list now; adds nothing, and raises the same."""
    caller.require(Scope.WRITE_PROMPTS)
    pasted, wanted = _sorted_lines(editable_brand(caller, brand_id), text, shared)
    return Preview(
        created=[line.draft.text for line in wanted if not line.is_archived],
        restored=[line.draft.text for line in wanted if line.is_archived],
        repeated=pasted.repeated,
        refused=pasted.refused,
    )


@transaction.atomic
def paste_prompts(caller: Caller, *, brand_id: UUID, text: str, shared: PromptDraft) -> Pasted:
    """Add the prompts of a list, one a line: its text alone, or the cells of COLUMNS between tabs. `shared` says what
    holds for lines that leave a cell empty (its own text is not used). Empty lines are passed over.

    A line that cannot be kept, or for which the plan has no room, is refused by itself: the others are added. Raises
    not_found, read_only_collaborator, and invalid_arguments for an empty list, for one with too many lines, and for
    shared fields that no line could have.
    """
    caller.require(Scope.WRITE_PROMPTS)
    brand = editable_brand(caller, brand_id, lock=True)
    pasted, wanted = _sorted_lines(brand, text, shared)
    added = add_prompts(caller, brand=brand, drafts=[line.draft for line in wanted])
    return replace(pasted, created=added.created, restored=added.restored)


def _sorted_lines(brand: Brand, text: str, shared: PromptDraft) -> tuple[Pasted, list[_Line]]:
    """The lines that are left out, and those to add, for which there is room."""
    cleaned_draft(replace(shared, text="any"))
    typed = [(number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if not typed:
        raise invalid("text", "There is no line to add. Write one prompt on each line.")
    if len(typed) > MAX_LINES:
        raise invalid("text", f"These are {len(typed):,} lines; at most {MAX_LINES:,} are added at once. Split them.")
    pasted = Pasted()
    lines = _checked(typed, shared, pasted)
    known = known_prompts(brand, [line.digest for line in lines])
    wanted = _wanted(lines, known, pasted)
    quota = prompt_quota(brand)
    room = max(quota.limit - quota.used, 0)
    reason = no_room(quota).message
    pasted.refused.extend(LeftOut(line.number, line.typed, reason) for line in wanted[room:])
    pasted.refused.sort(key=lambda left: left.line)
    return pasted, [replace(line, is_archived=line.digest in known) for line in wanted[:room]]


def _checked(typed: Sequence[tuple[int, str]], shared: PromptDraft, pasted: Pasted) -> list[_Line]:
    lines = []
    for number, line in typed:
        try:
            draft = cleaned_draft(_draft(line, shared))
        except ServiceError as refusal:
            pasted.refused.append(LeftOut(number, line, refusal.message))
        else:
            lines.append(_Line(number, line, draft, prompt_digest(draft.text, draft.locale)))
    return lines


def _draft(line: str, shared: PromptDraft) -> PromptDraft:
    """The fields of a line; what it leaves empty is as in `shared`."""
    cells = [cell.strip() for cell in line.split("\t")]
    if len(cells) > len(COLUMNS) and any(cells[len(COLUMNS) :]):
        raise invalid("text", f"The line has {len(cells)} cells; they are {', '.join(COLUMNS)}, between tabs.")
    stated = {name: cell for name, cell in zip(COLUMNS, cells, strict=False) if cell}
    if "text" not in stated:
        raise invalid("text", "The first cell is empty: it is the text of the prompt.")
    for name in ("stage", "intent"):
        if name in stated:
            stated[name] = stated[name].lower()
    return replace(shared, **stated)


def _wanted(lines: Sequence[_Line], known: dict[str, Prompt], pasted: Pasted) -> list[_Line]:
    """Each wording once, without those that are asked already, which are told of."""
    first: dict[str, _Line] = {}
    for line in lines:
        prompt = known.get(line.digest)
        if prompt is not None and prompt.archived_at is None:
            pasted.repeated.append(LeftOut(line.number, line.typed, "This is asked already."))
        elif line.digest in first:
            reason = f"This is the same as line {first[line.digest].number}."
            pasted.repeated.append(LeftOut(line.number, line.typed, reason))
        else:
            first[line.digest] = line
    return list(first.values())
