"""What kind of site a source is: a table of domains, and a few rules for those it does not name.

The table stands in `source_classes.toml`, with what each class means. Where no entry fits, suffixes of schools and
governments are reference, and a host that begins with `forum.` or the like is a community. All else is other:
manufacturers, blogs and software companies are no class of their own.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from pydantic.dataclasses import dataclass

from apikeys.text.language_files import STRICT, Words, load_file
from visibility.detection.text.addresses import registrable_domain
from visibility.detection.types import SourceClass


@dataclass(frozen=True, slots=True, config=STRICT)
class _Table:
    """The domains of each class, and what tells it of others: how hosts begin, labels of public suffixes."""

    community_hosts: Words
    reference_suffixes: Words
    domains: dict[SourceClass, Words]


_TABLE = load_file(Path(__file__).with_suffix(".toml"), _Table)

CLASSES: Mapping[str, SourceClass] = {domain: cls for cls, domains in _TABLE.domains.items() for domain in domains}
"""The class of each entry of the table: a domain, or a name below any suffix (`amazon.*`)."""

_BY_LABEL = {
    "".join(filter(str.isalnum, entry.split(".")[0])): cls
    for entry, cls in sorted(CLASSES.items(), reverse=True)
    if entry.endswith(".*") or registrable_domain(entry) == entry
}


def class_called(key: str) -> SourceClass | None:
    """The class of the site of the table that is called so, in letters and digits: Best Buy, at bestbuy.com."""
    return _BY_LABEL.get(key)


def class_of(host: str, suffix: str, reclassified: Mapping[str, SourceClass]) -> SourceClass:
    """The class of a host in ASCII; `suffix` is its public suffix.

    `reclassified` has entries like the table's and goes before it, whatever their lengths.
    """
    for entries in (reclassified, CLASSES):
        for name in _names(host, suffix):
            if (cls := entries.get(name)) is not None:
                return cls
    labels = suffix.split(".")
    if not _TABLE.reference_suffixes.isdisjoint((labels[0], labels[-1])) or (labels[0] == "ac" and labels[1:]):
        return SourceClass.REFERENCE
    if host.split(".")[0] in _TABLE.community_hosts:
        return SourceClass.COMMUNITY
    return SourceClass.OTHER


def _names(host: str, suffix: str) -> Iterator[str]:
    """The entries that a host may have, longest first: itself, the domains above it, its name below any suffix."""
    labels = host.split(".")
    for start in range(len(labels)):
        yield ".".join(labels[start:])
    if suffix and host.endswith(f".{suffix}"):
        yield host.removesuffix(f".{suffix}").rsplit(".", 1)[-1] + ".*"
