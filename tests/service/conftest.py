"""What the tests of the running service share."""

import pytest

from tests.live import environment, inherited, manage


@pytest.fixture(scope="session")
def static_files(tmp_path_factory):
    """The folder of static files, collected once."""
    folder = tmp_path_factory.mktemp("collected")
    manage({**inherited(), "VAR_DIR": str(folder)}, "collectstatic", "--noinput", "--verbosity", "0")
    return folder / "static"


def service_environment(static_files, tmp_path_factory):
    """The environment of a service over the test database, in a fresh folder with its static files."""
    folder = tmp_path_factory.mktemp("var")
    folder.joinpath("static").symlink_to(static_files)
    return environment(VAR_DIR=str(folder), SCHEDULER_TICK_SECONDS="0.5", WEB_WORKERS="1", WEB_THREADS="2")


@pytest.fixture
def prepared(transactional_db, django_db_serialized_rollback, static_files, tmp_path_factory):
    """The environment of a service of this test alone."""
    return service_environment(static_files, tmp_path_factory)


def refused(env, *arguments):
    """What `serve` says when it refuses to start: one sentence on stderr, no traceback."""
    result = manage(env, "serve", *arguments, check=False)
    assert result.returncode == 1
    assert "Traceback" not in result.stderr
    return result.stderr
