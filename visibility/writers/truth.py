"""Whether a draft says only what its sources say, and says of others' words whose they are."""

from collections.abc import Sequence

from apikeys.text.sentences import counted
from visibility.evidence.types import Backing, EnginesSay, WeighedClaim
from visibility.writers.checking import DraftCheck
from visibility.writers.markup import Block, blocks, links_in
from visibility.writers.outline import headings_of
from visibility.writers.statements import SUPERLATIVE, Fault, Judge, Statement, statements
from visibility.writers.tasks import DraftTask
from visibility.writers.words import content_words, wording_key

MIN_CLAIM_SHARE = 0.8
"""Share of a claim's words in a sentence that repeats it."""


def truth_checks(markdown: str, task: DraftTask, claims: Sequence[WeighedClaim]) -> list[DraftCheck]:
    """The checks of every sentence of a page: its source, what that says, whose words they are, superlatives, and
    what engines say of the brand's own claims."""
    judged = judged_statements(markdown, task)
    said = [statement for statement, _ in judged]
    faults: dict[Fault | None, list[Statement]] = {}
    for statement, fault in judged:
        faults.setdefault(fault, []).append(statement)
    return [
        _sourced(faults.get(Fault.UNKNOWN, []), faults.get(Fault.BARE, [])),
        _supported(faults.get(Fault.UNSUPPORTED, [])),
        _attributed(faults.get(Fault.UNATTRIBUTED, [])),
        _superlatives(said, blocks(markdown), task),
        _claims(said, claims),
        _confirmed(said, task),
    ]


def judged_statements(markdown: str, task: DraftTask) -> list[tuple[Statement, Fault | None]]:
    """Each sentence of a page that states something, in order, with what is wrong with it; None where nothing is."""
    linked, judge = links_in(markdown), Judge(task)
    return [
        (statement, judge.fault(statement, linked=any(text in statement.text for text in linked)))
        for statement in statements(blocks(markdown))
        if not statement.is_question
    ]


def _sourced(unknown: Sequence[Statement], bare: Sequence[Statement]) -> DraftCheck:
    if unknown:
        mark = unknown[0].marks[-1]
        message = f"{mark} is not a source of this draft. Remove it, or give the source: {_first(unknown)}"
    elif bare:
        message = (
            f"Give a source for {counted(len(bare), 'sentence')}, or mark as a gap or drop what has none: "
            f"{_first(bare)}"
        )
    else:
        message = "Every sentence has a source, a mark or a gap."
    return DraftCheck(id="sourced", passed=not unknown and not bare, message=message)


def _supported(unsupported: Sequence[Statement]) -> DraftCheck:
    message = (
        f"{counted(len(unsupported), 'sentence says', 'sentences say')} what the source does not. Keep to its words: "
        f"{_first(unsupported)}"
        if unsupported
        else "Every sentence says what its source says."
    )
    return DraftCheck(id="supported", passed=not unsupported, message=message)


def _attributed(unattributed: Sequence[Statement]) -> DraftCheck:
    message = (
        f"{counted(len(unattributed), 'sentence gives', 'sentences give')} words of others as the brand's own. Quote "
        f"them, or name who says so: "
        f"{_first(unattributed)}"
        if unattributed
        else "Words of others stand as theirs."
    )
    return DraftCheck(id="attributed", passed=not unattributed, message=message)


def _superlatives(said: Sequence[Statement], text_blocks: Sequence[Block], task: DraftTask) -> DraftCheck:
    """A superlative needs a source; in a heading it has none, unless buyers ask so."""
    outline = {wording_key(heading) for heading in headings_of(task)}
    headings = [Statement(row.text) for row in text_blocks if row.depth and wording_key(row.text) not in outline]
    bare = [
        match[0]
        for statement in [*said, *headings]
        if not statement.marks and not statement.is_question
        for match in SUPERLATIVE.finditer(statement.bare)
    ]
    message = (
        f"Show a source for “{bare[0]}”, or leave it out." if bare else "No superlative stands without a source."
    )
    return DraftCheck(id="superlatives", passed=not bare, message=message)


def _claims(said: Sequence[Statement], claims: Sequence[WeighedClaim]) -> DraftCheck:
    """A claim of the brand's that answers contradict, or that has nothing to back it, needs more than repeating."""
    repeated = [weighed for weighed in claims if any(_repeats(statement, weighed) for statement in said)]
    contradicted = [weighed for weighed in repeated if weighed.says == EnginesSay.CONTRADICTED]
    bare = [
        weighed
        for weighed in repeated
        if weighed.claim.backing == Backing.BARE and SUPERLATIVE.search(weighed.claim.text)
    ]
    if contradicted:
        claim = contradicted[0].claim.text[:160]
        message = f"Answers contradict this claim; prove it on the page or drop it: “{claim}”"
    elif bare:
        message = f"This claim gives nothing to back it; add the proof or drop it: “{bare[0].claim.text[:160]}”"
    else:
        message = "No claim stands here that answers contradict or that nothing backs."
    return DraftCheck(id="claims", passed=not contradicted and not bare, message=message)


def _repeats(statement: Statement, weighed: WeighedClaim) -> bool:
    words = content_words(weighed.claim.text)
    return bool(words) and len(words & content_words(statement.bare)) >= MIN_CLAIM_SHARE * len(words)


def _confirmed(said: Sequence[Statement], task: DraftTask) -> DraftCheck:
    """What an AI answer says is no proof: a person has to look it up."""
    answers = {material.mark for material in task.materials if material.answer and not material.url}
    resting = [statement for statement in said if answers.intersection(statement.marks)]
    message = (
        f"{counted(len(resting), 'sentence rests', 'sentences rest')} on what AI answers say, which may be wrong: "
        "confirm each with a source of your own, or drop it before you publish."
        if resting
        else "Nothing rests on AI answers alone."
    )
    return DraftCheck(id="answers_confirmed", passed=not resting, message=message)


def _first(rows: Sequence[Statement]) -> str:
    return f"“{rows[0].bare[:160]}”"
