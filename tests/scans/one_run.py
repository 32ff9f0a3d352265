"""`python -m tests.scans.one_run PROMPTS`: a run of the slow engine as a process, on a database of its own.

Prints as JSON how it ended.
"""

import json
import sys

import django
from django.core.management import call_command


def main(prompts):
    """Make a brand with so many prompts, scan it to the end, and print what is stored."""
    django.setup()
    from apikeys.operators import system_caller  # noqa: PLC0415 -- models need django.setup() first
    from tests.factories import BrandFactory, PromptFactory  # noqa: PLC0415
    from visibility.models import Answer, Mention, Run  # noqa: PLC0415
    from visibility.pipeline.runner import execute  # noqa: PLC0415
    from visibility.services.scans.starting import start_scan  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    brand = BrandFactory(name="Acme")
    for number in range(prompts):
        PromptFactory(brand=brand, text=f"which product number {number}?")
    run = start_scan(system_caller("test"), brand_id=brand.pk, trigger=Run.Trigger.OPERATOR, samples=1).run
    execute(run.pk, "worker")
    run.refresh_from_db()
    answered = Answer.objects.filter(run=run, state="answered").count()
    mentions = Mention.objects.filter(answer__run=run).count()
    print(json.dumps([run.status, run.done, answered, mentions, run.credits_spent, run.error_message]))


if __name__ == "__main__":
    main(int(sys.argv[1]))
