"""Which prompts the engines of now were asked on their days, beside those that scans ask today."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q

from visibility.measured.basis import Basis
from visibility.measured.generations import left_out_topics
from visibility.measured.topics import read_asked
from visibility.models import DailyScore


@dataclass(frozen=True, slots=True)
class AskedThen:
    """The prompts of a brand on topics that count, by the keys of wordings: `current` are those that scans ask today;
    `by_engine` those that each engine of now was asked on its day, whatever became of them. An engine is missing
    whose day was measured before that was kept."""

    prompt_of: Mapping[int, UUID]
    current: frozenset[int]
    by_engine: Mapping[str, frozenset[int]]

    @property
    def active(self) -> frozenset[UUID]:
        """The prompts that scans ask today."""
        return self.prompts(self.current)

    def left(self, engines: Iterable[str]) -> tuple[int, int]:
        """How many of the prompts that these engines were asked are still active, and how many they were."""
        prompts = self.prompts(self.wordings(engines))
        return len(prompts & self.active), len(prompts)

    def not_asked_yet(self, engines: Collection[str]) -> int | None:
        """How many active prompts none of these engines was asked; None where that is not known of one of them."""
        if not set(engines) <= self.by_engine.keys():
            return None
        return len(self.active - self.prompts(self.wordings(engines)))

    def reworded(self, engines: Iterable[str]) -> int:
        """How many active prompts these engines were asked in earlier wordings alone."""
        wordings = self.wordings(engines)
        return len((self.prompts(wordings) & self.active) - self.prompts(wordings & self.current))

    def wordings(self, engines: Iterable[str]) -> frozenset[int]:
        """The wordings that these engines were asked."""
        return frozenset[int]().union(*(self.by_engine.get(engine, ()) for engine in engines))

    def prompts(self, wordings: Iterable[int]) -> frozenset[UUID]:
        """The prompts that these are wordings of."""
        return frozenset(self.prompt_of[wording] for wording in wordings if wording in self.prompt_of)


def read_asked_then(bases: Sequence[Basis]) -> dict[UUID, AskedThen]:
    """By brand, in three statements for all of them: the wordings that were planned for each engine's day, of
    whichever prompts they are."""
    measured = [basis for basis in bases if basis.engines]
    if not measured:
        return {}
    of_days = Q()
    for basis in measured:
        of_days |= Q(brand=basis.brand, date__in=basis.days)
    days = DailyScore.objects.filter(of_days, competitor=None).exclude(panel=None).order_by()
    panels = {(brand, day): content for brand, day, content in days.values_list("brand_id", "date", "panel__content")}
    brands = [basis.brand for basis in measured]
    questions, left_out = read_asked(brands), left_out_topics(brands)
    counting = {
        brand: {
            wording: prompt
            for wording, prompt in asked.prompt_of.items()
            if asked.key_of[prompt] not in left_out.get(brand, ())
        }
        for brand, asked in questions.items()
    }
    return {
        basis.brand: AskedThen(
            {int(wording): prompt for wording, prompt in counting[basis.brand].items()},
            frozenset(int(wording) for wording in questions[basis.brand].current & counting[basis.brand].keys()),
            {
                row.engine: frozenset(of_engine["prompts"])
                for row in basis.engines
                if (of_engine := panels.get((basis.brand, row.day), {}).get("asked", {}).get(row.engine))
            },
        )
        for basis in measured
    }
