"""The page of the checks, made from the catalogue: `python -m tests.audit.reference --write`."""

import re
import sys
from pathlib import Path

from visibility.audit.catalogue import CATALOGUE
from visibility.audit.checks.registry import WITHOUT_PAGES
from visibility.audit.outcome import CatalogueEntry
from visibility.audit.score import CATEGORIES
from visibility.audit.wording import effect

FILE = Path(__file__).resolve().parent.parent.parent / "docs" / "audit-checks.md"
NAMES = {
    "access": "Access: may crawlers come in",
    "rendering": "Rendering: is the page there without scripts",
    "discovery": "Discovery: can pages be found",
    "structured-data": "Structured data: can facts be read",
    "entity-trust": "Entity and trust: who speaks",
    "structure": "Structure: can parts be told apart",
    "citability": "Citability: is there something to quote",
    "freshness": "Freshness: how old is it",
    "agent-surfaces": "Agent surfaces: what is offered to agents",
}
_REPOSITORY = re.compile(r"([\w.-]+/[\w.-]+)@([0-9a-f]{7,40})(.*)", re.DOTALL)
_ADDRESS = re.compile(r"https?://\S+")
HEAD = """\
# The checks of the site audit

Written by `python -m tests.audit.reference --write` from the catalogue; a test keeps it equal to it. How the audit
works and how its score is made is in [audit.md](audit.md).

{number} checks; the weights of those that are scored sum to {weight}. *Share* is the part of a site's score where
every check applies: where some do not, the others share their weight. Weight 0: shown, not scored. The grade says how
strong the evidence is that the check looks at something that matters to machines that read a site: A: vendors or
standards say so; B: studies or wide practice; C: opinion or tradition. It does not say that passing raises citations:
what is known of that stands with each check.
"""


def reference() -> str:
    """The whole page."""
    every = sum(entry.weight for entry in CATALOGUE.values())
    parts = [HEAD.format(number=len(CATALOGUE), weight=f"{every:g}")]
    for category in CATEGORIES:
        entries = [entry for entry in CATALOGUE.values() if entry.category == category]
        parts.append(f"## {NAMES[category]}\n\n{table(entries, every)}\n")
        parts += [section(entry) for entry in entries]
    return "\n".join(parts)


def table(entries: list[CatalogueEntry], every: float) -> str:
    """The checks of a category in one view."""
    lines = [
        "| Check | What is so where it passes | Severity | Weight | Share | Grade |",
        "|---|---|---|---|---|---|",
    ]
    for entry in entries:
        share = f"{100 * entry.weight / every:.1f} %"
        cells = (entry.id, entry.title, entry.severity, f"{entry.weight:g}", share, entry.evidence_grade)
        lines.append(f"| {' | '.join(map(cell, cells))} |")
    return "\n".join(lines)


def section(entry: CatalogueEntry) -> str:
    """One check."""
    applies = entry.not_applicable_when
    facts = [
        ("Where it fails", entry.problem),
        ("Looks at", entry.measure),
        ("Does not apply", applies or ("" if entry.id in WITHOUT_PAGES else "no page was read")),
        ("Caps", f"the overall score at {entry.cap:g}, where the defect is critical" if entry.cap else ""),
        ("Effect", effect(entry)),
        ("Sources", "; ".join(map(source, entry.sources))),
    ]
    lines = "\n".join(f"- {name}: {escaped(text) if name != 'Sources' else text}" for name, text in facts if text)
    return f"### {entry.id} {entry.title}\n\n{lines}\n"


def source(text: str) -> str:
    """A source with a link where it has an address."""
    if found := _REPOSITORY.fullmatch(text):
        path = found[3].strip()
        return f"[{found[1]}](https://github.com/{found[1]}/tree/{found[2]}){' ' + escaped(path) if path else ''}"
    return _ADDRESS.sub(lambda address: f"<{address[0]}>", text)


def cell(text: str) -> str:
    """Text for a table."""
    return escaped(text).replace("|", "\\|")


def escaped(text: str) -> str:
    """Plain text in Markdown: elements and stars are shown as they are."""
    return re.sub(r"([<>*_{}\[\]])", r"\\\1", text)


def main() -> int:
    """Print the page, or write it."""
    if "--write" in sys.argv[1:]:
        FILE.write_text(reference())
    else:
        sys.stdout.write(reference())
    return 0


if __name__ == "__main__":
    sys.exit(main())
