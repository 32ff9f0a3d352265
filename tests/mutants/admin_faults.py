"""What the staff pages show: stored JSON, long lists, runs for the person on call."""

from tests.mutants.harness import Fault

ADMIN = (
    Fault(
        "stored JSON of others is markup on the page",
        "apikeys/staff/tables.py",
        'return format_html(\'<span dir="auto">{}</span>{}\', text[:limit], rest if len(text) > limit else "")',
        'return SafeString(f\'<span dir="auto">{text[:limit]}</span>\' + (rest if len(text) > limit else ""))',
        ("tests/people/test_admin_tables.py",),
    ),
    Fault(
        "a page of a row shows bare JSON",
        "apikeys/staff/base.py",
        '"fields": [stored.get(field, field) for field in options["fields"]]',
        '"fields": list(options["fields"])',
        ("tests/people/test_admin_tables.py",),
    ),
    Fault(
        "a long list is counted to its end",
        "apikeys/staff/lists.py",
        "return rows.order_by()[: MAX_COUNTED + 1].count()",
        "return rows.order_by().count()",
        ("tests/people/test_admin_lists.py",),
    ),
    Fault(
        "the last day of a span is left out",
        "apikeys/staff/lists.py",
        "_midnight(self.last + timedelta(days=1))",
        "_midnight(self.last)",
        ("tests/people/test_admin_lists.py",),
    ),
    Fault(
        "an action of a list takes any number of rows",
        "apikeys/staff/base.py",
        "if len(chosen) > MAX_AT_ONCE:",
        "if False:",
        ("tests/people/test_admin_lists.py",),
    ),
    Fault(
        "an import without text is told as an error of the engine",
        "visibility/services/operating/status.py",
        "return failed.exclude(run__trigger=Run.Trigger.IMPORT).order_by()",
        "return failed.order_by()",
        ("tests/people/test_admin_lists.py",),
    ),
    Fault(
        "a run without a worker looks well",
        "visibility/services/operating/inspecting.py",
        "    if silent > LATE:\n",
        "    if silent > LATE * 1000:\n",
        ("tests/people/test_run_admin.py",),
    ),
    Fault(
        "a run is started again for who may not",
        "visibility/admin/runs.py",
        'permission="visibility.add_run",',
        'permission="visibility.view_run",',
        ("tests/people/test_run_admin.py",),
    ),
    Fault(
        "a file of prompts is read however long it is",
        "visibility/services/prompts/files.py",
        "if size is not None and size > MAX_FILE:",
        "if False:",
        ("tests/pages/test_prompt_files.py",),
    ),
    Fault(
        "a file is added without being shown",
        "visibility/admin/brand_acts.py",
        'if values["file"] or (preview.refused and not values["is_seen"]):',
        'if preview.refused and not values["is_seen"]:',
        ("tests/people/test_operating_admin.py",),
    ),
    Fault(
        "a preview is on record as done",
        "apikeys/staff/base.py",
        "if not isinstance(outcome, BeforeTheAct):",
        "if True:",
        ("tests/people/test_operating_admin.py",),
    ),
    Fault(
        "fields of inline rows have no name",
        "apikeys/staff/inlines.py",
        'field.widget.attrs.setdefault("aria-label", f"{column}{link}{place}")',
        "pass",
        ("tests/people/test_brands_admin.py",),
    ),
)
