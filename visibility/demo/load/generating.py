"""Many brands with many answers: a few that are measured, and copies of them."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone

from apikeys.caller import Caller
from apikeys.errors import invalid
from apikeys.models import Plan, User
from apikeys.services.guards import conflict
from apikeys.services.users import create_user
from brands.models import Brand
from visibility.demo.load.copying import Numbers, Pattern, copy, pattern_of
from visibility.demo.load.inventing import DAYS, ENGINES, SAMPLES, domain_of, invented_answers, world_of
from visibility.demo.load.patterns import rows_of
from visibility.demo.seeding import TIER
from visibility.models import Answer
from visibility.services.imports.importing import NewBrand, import_answers
from visibility.services.imports.progress import Progress, silent

PATTERNS = 8
MIN_PROMPTS = 5
OWNER = "load-{}@example.com"
_A_PROMPT = DAYS * len(ENGINES) * SAMPLES


@dataclass(frozen=True, slots=True)
class Generated:
    """What was made: how many of each, and the account that owns the first brands."""

    brands: int
    answers: int
    owner: User


def generate(caller: Caller, *, brands: int, answers: int, seed: int, progress: Progress = silent) -> Generated:
    """Make so many brands with about so many answers in all, alike, in a database without brands.

    Ten measured days each, the last one today. The same seed makes the same brands, prompts and answers. Raises
    conflict where there are brands, and invalid_arguments for numbers that give a brand too few answers.
    """
    prompts = answers // brands // _A_PROMPT
    if prompts < MIN_PROMPTS:
        raise invalid("answers", f"Each brand needs {MIN_PROMPTS * _A_PROMPT} answers or more; ask for fewer brands.")
    if Brand.objects.exists():
        raise conflict("There are brands in this database. Use an empty one: nothing here tells invented from true.")
    dice, plan = random.Random(seed), Plan.objects.get(tier=TIER)  # noqa: S311 -- no secret
    owners = [
        create_user(caller, email=OWNER.format(number), plan=plan)
        for number in range(1, -(-brands // plan.max_sites) + 1)
    ]
    patterns = _patterns(caller, owners[0], min(PATTERNS, -(-brands // 2)), prompts, dice, progress)
    numbers = Numbers()
    for number in range(len(patterns), brands):
        owner = owners[number // plan.max_sites]
        copy(patterns[number % len(patterns)], world_of(dice), owner, dice, numbers)
        progress("Copying", number + 1, brands)
    numbers.keep()
    return Generated(Brand.objects.count(), Answer.objects.count(), owners[0])


def _patterns(
    caller: Caller, owner: User, count: int, prompts: int, dice: random.Random, progress: Progress
) -> Sequence[Pattern]:
    patterns, now = [], timezone.now()
    for number in range(1, count + 1):
        world = world_of(dice)
        competitors = [(name, domain_of(name)) for name in world.rivals]
        brand = NewBrand(owner, world.brand, domain_of(world.brand), competitors)
        rows = invented_answers(world, dice, prompts=prompts, last=now)
        patterns.append(pattern_of(world, rows_of(import_answers(caller, brand=brand, rows=rows).brand)))
        progress("Measuring", number, count)
    return patterns
