"""The names and domains by which a brand and its competitors are found in answers."""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self
from uuid import UUID

import orjson
from pydantic import TypeAdapter

from apikeys.db.snapshot import remembered
from brands.models import Brand
from brands.services.tracked import BrandNames, read_names
from visibility.detection.detector import DETECTOR_VERSION
from visibility.detection.names.description import MAX_DESCRIPTION
from visibility.detection.names.matching import Dictionary
from visibility.detection.types import BRAND, Domains, Name, Policy, SourceClass
from visibility.models import DomainClass, TopicChoice

DETECTOR = int(DETECTOR_VERSION)
"""Versions are ordered: what a newer detector has found is not taken back by an older one."""

MIXED = 0
"""In place of the version of a detector where more than one was at work, or figures have to be made again."""

_NAMES = TypeAdapter(list[Name])
_CLASSES = TypeAdapter(dict[str, SourceClass])


@dataclass(frozen=True)
class Vocabulary:
    """All that answers of a brand are analysed for: the names of each subject, and its domains.

    `classes` are the operators' own of cited domains; `descriptions` say what subjects sell; `not_own` are topics by
    key that no figure counts, as the brand does not sell them: what is found in their answers is the same.
    """

    names: Sequence[Name]
    domains: Domains
    classes: Mapping[str, SourceClass]
    descriptions: Mapping[str, str] = field(default_factory=dict)
    not_own: frozenset[str] = frozenset()

    @property
    def stamp(self) -> str:
        """A digest of all, whatever its order: with the same stamp a detector finds the same."""
        return _digest(self.as_json())

    @property
    def classes_stamp(self) -> str:
        """A digest of the classes alone, which all brands share."""
        return _digest(self.classes)

    def as_json(self) -> dict[str, Any]:
        """In the form that a generation keeps."""
        names = sorted(_NAMES.dump_python(list(self.names), mode="json"), key=orjson.dumps)
        domains = {key: sorted(own_domains) for key, own_domains in self.domains.by_subject.items()}
        described = {"descriptions": dict(self.descriptions)} if self.descriptions else {}
        not_own = {"not_own": sorted(self.not_own)} if self.not_own else {}
        return {"names": names, "domains": domains, "classes": dict(self.classes), **described, **not_own}

    @classmethod
    def from_json(cls, state: Mapping[str, Any], competitors: Collection[UUID]) -> Self:
        """As it was kept, but without what is not of the brand or of one of these competitors."""
        subjects = {BRAND, *map(str, competitors)}
        domains = state["domains"]
        return cls(
            names=[name for name in _NAMES.validate_python(state["names"]) if name.subject in subjects],
            domains=Domains({subject: tuple(domains[subject]) for subject in sorted(subjects & domains.keys())}),
            classes=_CLASSES.validate_python(state["classes"]),
            descriptions={key: text for key, text in state.get("descriptions", {}).items() if key in subjects},
            not_own=frozenset(state.get("not_own", ())),
        )


def found_by(state: Mapping[str, Any]) -> dict[str, Any]:
    """Of what a generation keeps of its vocabulary all that decides what is found in answers: not which topics
    count."""
    return {part: content for part, content in state.items() if part != "not_own"}


@dataclass(frozen=True)
class TrackedNames:
    """The vocabulary of one generation of figures: what is found for it belongs to that generation."""

    generation: UUID
    vocabulary: Vocabulary

    @property
    def subjects(self) -> Sequence[str]:
        """The subject keys, the brand's own first."""
        return [BRAND, *(subject for subject in self.vocabulary.domains.by_subject if subject != BRAND)]

    @property
    def domains(self) -> Domains:
        """The domains of each subject."""
        return self.vocabulary.domains

    @cached_property
    def dictionary(self) -> Dictionary:
        """The names, ready to be found."""
        vocabulary = self.vocabulary
        return Dictionary(vocabulary.names, vocabulary.domains, descriptions=vocabulary.descriptions)


def names_of(names: BrandNames) -> list[Name]:
    """The name and the aliases of the brand and of each competitor, with what people say of them."""
    texts = [(BRAND, text) for text in (names.brand.name, *names.aliases)]
    texts += [(str(pk), rival.name) for pk, rival in names.rivals.items()]
    texts += [(str(pk), text) for pk, rival in names.rivals.items() for text in rival.aliases]
    policies = {
        key: Policy(policy.case_sensitive, tuple(sorted(policy.required_near)), tuple(sorted(policy.forbidden_near)))
        for key, policy in names.policies.items()
    }
    return [Name(subject, text, policies.get(text.casefold())) for subject, text in texts]


def vocabulary_of(brand: Brand, names: BrandNames | None = None) -> Vocabulary:
    """The names and domains of the brand and its competitors, the classes of others, and the topics that are not own,
    as they are now; `names` where they were read already."""
    names = names or read_names(brand)
    description = brand.description[:MAX_DESCRIPTION].strip()
    return Vocabulary(
        names=names_of(names),
        domains=domains_of(names),
        classes=classes_of_domains(),
        descriptions={BRAND: description} if description else {},
        not_own=frozenset(TopicChoice.objects.filter(brand=brand, is_own=False).values_list("topic", flat=True)),
    )


def domains_of(names: BrandNames) -> Domains:
    """The domains of the brand and its competitors, by subject."""
    rivals = {str(pk): (rival.domain,) for pk, rival in names.rivals.items()}
    return Domains({BRAND: (names.brand.domain, *names.domains), **rivals})


@remembered
def classes_of_domains() -> dict[str, SourceClass]:
    """The classes that operators have given to domains."""
    return {domain: SourceClass(cls) for domain, cls in DomainClass.objects.values_list("domain", "cls")}


def classes_stamp() -> str:
    """The digest of the classes as they are now."""
    return _digest(classes_of_domains())


def _digest(content: Mapping[str, Any]) -> str:
    return hashlib.sha256(orjson.dumps(content, option=orjson.OPT_SORT_KEYS)).hexdigest()[:20]
