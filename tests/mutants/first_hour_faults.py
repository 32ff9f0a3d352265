"""The faults of the first hour: what a newcomer types, and which questions are asked."""

from tests.mutants.harness import Fault

COMMANDS = ("tests/people/test_commands.py",)
IMPORTING = ("tests/imports/test_commands.py",)
TOPICS = ("tests/writing/test_topics.py",)
REFINING = ("tests/writing/test_refining.py",)
PROMPTS = ("tests/writing/test_prompts.py",)

FIRST_HOUR = (
    Fault(
        "a superuser made by command has no plan",
        "apikeys/models/accounts.py",
        'extra = {"plan": largest, **extra,',
        "extra = {**extra,",
        COMMANDS,
    ),
    Fault(
        "a key that every call refuses is issued",
        "apikeys/management/commands/issue_key.py",
        "        _require_use(owner)\n",
        "",
        COMMANDS,
    ),
    Fault(
        "a file is read before names and quotas are checked",
        "visibility/management/commands/import_answers.py",
        "            check_import(CALLER, target)\n",
        "",
        IMPORTING,
    ),
    Fault(
        "checking an import leaves a brand behind",
        "visibility/services/imports/importing.py",
        "        transaction.set_rollback(True)\n",
        "",
        IMPORTING,
    ),
    Fault(
        "questions name topics by their slugs",
        "visibility/writers/topics.py",
        "return _asked_for(topic, wordings) or _spaced(topic)",
        "return topic",
        TOPICS,
    ),
    Fault(
        "English words are put into questions of other languages",
        "visibility/writers/refining.py",
        'if self.language != "en" and plain and',
        "if False and",
        REFINING,
    ),
    Fault(
        "a prompt that is asked again passes the quota",
        "visibility/services/prompts/editing.py",
        "        require_room(prompt.brand, 1)\n        prompt.archived_at = None",
        "        prompt.archived_at = None",
        PROMPTS,
    ),
    Fault(
        "halves are rounded to the even digit",
        "visibility/metrics/shown.py",
        "scaleb(-digits), ROUND_HALF_UP)",
        "scaleb(-digits))",
        ("tests/architecture/test_numbers.py",),
    ),
    Fault(
        "a history is said to be measured again while it is not",
        "visibility/services/competitors/listing.py",
        "rescored=progress is None and",
        "rescored=progress is not None and",
        ("tests/mcp/test_competitors.py",),
    ),
    Fault(
        "citations that are left out are not told of",
        "visibility/services/imports/storing.py",
        "        self.left_out += reasons\n",
        "",
        IMPORTING,
    ),
    Fault(
        "a mail is promised where none leaves",
        "apikeys/services/mail.py",
        "return not settings.EMAIL_BACKEND.startswith(",
        "return True or settings.EMAIL_BACKEND.startswith(",
        ("tests/people/test_passwords.py",),
    ),
    Fault(
        "the latest comparison hides the latest scan on pages",
        "visibility/services/reading/reporting.py",
        'partition_by=["brand_id", "kind"]',
        'partition_by=["brand_id"]',
        ("tests/pages/test_latest_runs.py",),
    ),
)
