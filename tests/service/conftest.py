"""What the tests of the running service share."""

import pytest

from tests.live import environment, manage


@pytest.fixture
def prepared(transactional_db, django_db_serialized_rollback, tmp_path_factory):
    """The environment of a service over the test database, in a fresh folder with its static files collected."""
    folder = str(tmp_path_factory.mktemp("var"))
    env = environment(VAR_DIR=folder, SCHEDULER_TICK_SECONDS="0.5", WEB_WORKERS="1", WEB_THREADS="2")
    manage(env, "collectstatic", "--noinput", "--verbosity", "0")
    return env
