"""Makes the reports in a shell of Django, where a database is."""

import os
from collections import Counter
from pathlib import Path

from apikeys.caller import Caller
from apikeys.models import Plan, User
from tests.reports import report
from tests.reports.world import reported


def make(*, write: bool) -> None:
    """Print the reports, or write them to the documentation, and count how they were judged."""
    owner = User.objects.create_user("you@example.com", plan=Plan.objects.get(tier="scale"))
    answers = Path(os.environ["REFERENCE_DATA"]) / "real-answers" / "answers.jsonl"
    judged = report.judgements()
    verdicts: Counter[str] = Counter()
    for name, brand in reported(answers, owner).items():
        rows = report.top_of(Caller.from_user(owner), brand)
        of_brand = judged.get(name, {})
        verdicts.update(of_brand[row.title].verdict if row.title in of_brand else "not judged" for row in rows)
        if write:
            report.FOLDER.mkdir(parents=True, exist_ok=True)
            (report.FOLDER / f"{name.casefold()}.md").write_text(report.page(brand, rows, of_brand))
        else:
            print(report.page(brand, rows, of_brand))
    print(dict(verdicts))
