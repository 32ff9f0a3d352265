"""Faults in keeping surfaces and locales apart."""

from tests.mutants.harness import Fault

_SURFACES = ("tests/imports/test_surfaces.py",)
_LOCALES = ("tests/scans/test_by_locale.py",)

SURFACES = (
    Fault(
        "an import has the name of the engine that is asked",
        "visibility/engines/surfaces.py",
        "    if surface is Surface.IMPORTED and name not in scan_engines:",
        "    if surface is Surface.IMPORTED:",
        _SURFACES,
    ),
    Fault(
        "surfaces share a mean",
        "visibility/engines/surfaces.py",
        "if surface is first)",
        "if surface or first)",
        _SURFACES,
    ),
    Fault(
        "a scan is planned without parting what was imported",
        "visibility/pipeline/plan.py",
        "    part_imports(run.brand_id, samples)\n",
        "",
        _SURFACES,
    ),
    Fault(
        "history is not measured again for imports that were parted",
        "visibility/pipeline/surfaces.py",
        "    kept.update(detector=MIXED)",
        "    kept.exists()",
        _SURFACES,
    ),
    Fault(
        "answers of an app are renamed as those of an unknown place are",
        "visibility/pipeline/surfaces.py",
        "engine=name, surface=Surface.IMPORTED)",
        "engine=name)",
        _SURFACES,
    ),
    Fault(
        "the surface is no part of what makes an imported answer the same",
        "visibility/services/imports/storing.py",
        "stated = () if row.surface is Surface.IMPORTED else (row.surface,)",
        "stated = ()",
        _SURFACES,
    ),
    Fault(
        "an upgrade leaves pooled what was pooled",
        "visibility/migrations/0028_surfaces.py",
        "migrations.RunPython(part_imports,",
        "migrations.RunPython(migrations.RunPython.noop,",
        _SURFACES,
    ),
    Fault(
        "figures by locale hold all locales",
        "visibility/measured/locales.py",
        "outcomes[sample.locales[int(outcome.prompt)]].append(outcome)",
        "[outcomes[locale].append(outcome) for locale in set(sample.locales.values())]",
        _LOCALES,
    ),
    Fault(
        "the headline does not say that it pools locales",
        "visibility/services/reading/now.py",
        'return f"{words}; {locales_in_words(by_locale)}" if by_locale else words',
        "return words",
        _LOCALES,
    ),
    Fault(
        "a single locale is told apart from all",
        "visibility/measured/locales.py",
        "return listed if len(listed) > 1 else []",
        "return listed",
        _LOCALES,
    ),
)

_COSTS = ("tests/service/test_name_costs.py",)

NAME_COSTS = (
    Fault(
        "every place of a name is told to mean its owner",
        "visibility/detection/names/cost.py",
        "if any(start in starts for start in range(match.start(), match.end())):",
        "if True:",
        _COSTS,
    ),
    Fault(
        "small letters count as places of a name with a capital",
        "visibility/detection/names/cost.py",
        '(?![^\\W_])")',
        '(?![^\\W_])", re.IGNORECASE)',
        _COSTS,
    ),
    Fault(
        "the answers of other brands tell what a name costs",
        "visibility/services/competitors/name_costs.py",
        "run__in=newest_runs(names.brand.pk), state",
        "state",
        _COSTS,
    ),
    Fault(
        "who adds a competitor hears only that its name is common",
        "visibility/services/competitors/names.py",
        "            cost=cost_in_words(costs[name]),\n",
        "",
        _COSTS,
    ),
    Fault(
        "an import says nothing of names that need care",
        "visibility/management/commands/import_answers.py",
        "        self._warn_of_names(imported.brand)\n",
        "",
        _COSTS,
    ),
)

_DESCRIPTIONS = ("tests/measurement/test_description.py", "tests/scans/test_description.py")

DESCRIPTIONS = (
    Fault(
        "a few words around a name deny that it is meant",
        "visibility/detection/names/description.py",
        "and len(around) >= MIN_AROUND else None",
        "else None",
        _DESCRIPTIONS,
    ),
    Fault(
        "a description that says little denies a name",
        "visibility/detection/names/description.py",
        "len(sold) >= MIN_TOLD and ",
        "",
        _DESCRIPTIONS,
    ),
    Fault(
        "the name itself speaks of what its owner sells",
        "visibility/detection/names/description.py",
        " if word not in own)",
        ")",
        _DESCRIPTIONS,
    ),
    Fault(
        "figures stay as they are when a description changes",
        "brands/services/brands.py",
        "if (brand.name, brand.domain, brand.description) != named:",
        "if (brand.name, brand.domain) != named[:2]:",
        _DESCRIPTIONS,
    ),
)

_JUDGING = ("tests/scans/test_judging.py",)

JUDGEMENTS = (
    Fault(
        "names are judged although the brand does not want it",
        "visibility/pipeline/runner.py",
        "    if run.brand.judges_names:\n        judge_names",
        "    if True:\n        judge_names",
        _JUDGING,
    ),
    Fault(
        "a name that was asked about is asked about again",
        "visibility/pipeline/judge/judging.py",
        "return [row for row in rows if row.pk in own]",
        "return rows",
        _JUDGING,
    ),
    Fault(
        "a judge is asked before anything is stored of it",
        "visibility/pipeline/judge/judging.py",
        "        NameJudgement.objects.bulk_create(rows, ignore_conflicts=True)\n",
        "",
        _JUDGING,
    ),
    Fault(
        "judging takes no credits",
        "visibility/pipeline/judge/judging.py",
        "            spend(run.brand.owner, Usage.Kind.CREDITS, len(own))",
        "            pass",
        _JUDGING,
    ),
    Fault(
        "what the judge costs does not count for the cap",
        "visibility/measured/charges.py",
        "by_part = charges_by_part(run_id).values()",
        "by_part = [row for part, row in charges_by_part(run_id).items() if part != Part.JUDGEMENTS]",
        _JUDGING,
    ),
    Fault(
        "names are judged past the cap of a run",
        "visibility/pipeline/judge/judging.py",
        "        if not budget.allows(engine):\n            return\n",
        "",
        _JUDGING,
    ),
    Fault(
        "judging has no bound",
        "visibility/pipeline/judge/judging.py",
        "tasks = islice(open_tasks(run, tracked), max(left, 0))",
        "tasks = open_tasks(run, tracked)",
        _JUDGING,
    ),
    Fault(
        "an engine that fails is asked on and on",
        "visibility/pipeline/judge/judging.py",
        " and (not rows or unanswered < len(rows))",
        "",
        _JUDGING,
    ),
    Fault(
        "a reply that says more than was asked for decides",
        "visibility/writers/judging.py",
        'extra="forbid", ',
        "",
        _JUDGING,
    ),
    Fault(
        "the answer stands unquoted in what the judge is told",
        "visibility/writers/judging.py",
        'f"- {quoted(piece)}" for piece',
        'f"- {piece}" for piece',
        _JUDGING,
    ),
    Fault(
        "a verdict on one owner is taken for another",
        "visibility/pipeline/judge/tasks.py",
        "        if domain in subjects:\n            decided[answer][subjects[domain], name] = meant",
        '        decided[answer][subjects.get(domain, ""), name] = meant',
        _JUDGING,
    ),
    Fault(
        "history is analysed without what was judged",
        "visibility/pipeline/detect/detecting.py",
        ", judged.get(answer.pk))",
        ")",
        _JUDGING,
    ),
)
