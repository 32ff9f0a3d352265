"""Faults in how evidence is kept: when it is made anew, who reads it, how reviews are imported."""

from tests.mutants.harness import Fault

MAKING = "tests/evidence/test_making.py"
LAYERS = "tests/evidence/test_layers.py"
REVIEWS = "tests/evidence/test_import_reviews.py"

EVIDENCE_LAYERS = (
    Fault(
        "new reviews do not make evidence outdated",
        "visibility/pipeline/evidence/planning.py",
        '        _latest("reviews", Review.objects.filter(**of_brand)),\n',
        "",
        (MAKING,),
    ),
    Fault(
        "a new audit does not make evidence outdated",
        "visibility/pipeline/evidence/planning.py",
        'audits.annotate(word=_joined(_word(" audit "), _text("pk")))',
        'audits.annotate(word=_word(" audit "))',
        (MAKING,),
    ),
    Fault(
        "a renamed topic does not make evidence outdated",
        "visibility/services/prompts/editing.py",
        "        _version(caller, prompt).save(force_insert=True)\n    count_change(prompt.brand_id)\n",
        "        _version(caller, prompt).save(force_insert=True)\n",
        (MAKING,),
    ),
    Fault(
        "what newer rules made is made anew by older ones",
        "visibility/pipeline/evidence/planning.py",
        "exclude(made | newer | waiting | nothing)",
        "exclude(made | waiting | nothing)",
        (MAKING,),
    ),
    Fault(
        "evidence is stamped with what came while it was made",
        "visibility/pipeline/evidence/making.py",
        "        stamp=stamp,\n",
        "        stamp=stamp_of(job.brand_id),\n",
        (MAKING,),
    ),
    Fault(
        "who lost the lease writes evidence",
        "visibility/pipeline/evidence/making.py",
        "        with fenced(EVIDENCE, job.pk, worker):\n            Evidence.objects",
        "        if worker:\n            Evidence.objects",
        (MAKING,),
    ),
    Fault(
        "evidence is found while the brand is held",
        "visibility/pipeline/evidence/making.py",
        "        _keep(job, worker, find(gathered))\n",
        "        with transaction.atomic():\n            _keep(job, worker, find(gathered))\n",
        (MAKING,),
    ),
    Fault(
        "answers to archived prompts are read, too",
        "visibility/pipeline/evidence/gathering.py",
        "    answers = answers_of(engines).filter(",
        "    answers = answers_of(engines, active=False).filter(",
        (MAKING,),
    ),
    Fault(
        "a question that names the brand counts as one of buyers",
        "visibility/pipeline/evidence/gathering.py",
        "buying=not branded[question] and is_buying(",
        "buying=is_buying(",
        (MAKING,),
    ),
    Fault(
        "any number of characters is read",
        "visibility/pipeline/evidence/gathering.py",
        "        if total > MAX_CHARACTERS:\n            break\n",
        "",
        (MAKING,),
    ),
    Fault(
        "a stated stage does not tell a buying question",
        "visibility/evidence/buying.py",
        "    if intent or stage:\n",
        "    if intent:\n",
        ("tests/evidence/test_buying.py",),
    ),
    Fault(
        "evidence is shown without its scope",
        "visibility/services/evidence/voice.py",
        "    caller.require(Scope.READ_VOICE)\n",
        "",
        (LAYERS,),
    ),
    Fault(
        "criteria of a topic are those of all",
        "visibility/services/evidence/voice.py",
        'topic=meant.key if meant else "")',
        'topic="")',
        (LAYERS,),
    ),
    Fault(
        "winners that are watched no more are shown",
        "visibility/services/evidence/presenting.py",
        "            if winner.subject in names\n",
        "",
        (LAYERS,),
    ),
    Fault(
        "evidence that is being made looks like none",
        "visibility/services/evidence/missing.py",
        "    if job is None and not stamp:\n",
        "    if job is None:\n",
        (LAYERS,),
    ),
    Fault(
        "a topic in a next step stands without marks",
        "visibility/resources/steps.py",
        "value if name in _PLAIN else _marked(value)",
        "value",
        (LAYERS,),
    ),
    Fault(
        "good lines of a file with bad ones are imported",
        "visibility/services/reviews/importing.py",
        "    if count or not reviews:\n",
        "    if not reviews:\n",
        (REVIEWS,),
    ),
    Fault(
        "a review is known by its words alone, whatever its id",
        "visibility/services/reviews/rows.py",
        '        if values["id"]\n',
        '        if values["id"] is None\n',
        (REVIEWS,),
    ),
    Fault(
        "dates that can be read in two ways are guessed",
        "visibility/services/reviews/rows.py",
        '    if dates == "iso":\n',
        '    if dates == "none":\n',
        (REVIEWS,),
    ),
    Fault(
        "a file may be of any length",
        "apikeys/text/sheets.py",
        "    if len(raw) > longest:\n",
        "    if False:\n",
        (REVIEWS,),
    ),
    Fault(
        "the form for reviews needs no permission",
        "visibility/admin/evidence.py",
        'permission="visibility.add_review"',
        'permission="visibility.view_review"',
        (REVIEWS,),
    ),
)
