"""The tables are as the models say: a length or a default that only a model knows holds nowhere."""

import pytest
from django.core.management import call_command


@pytest.mark.django_db
def test_no_migration_is_missing():
    call_command("makemigrations", "brands", check_changes=True, dry_run=True, verbosity=0)
