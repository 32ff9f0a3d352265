"""Checks of what the service runs on: settings, database, queue, clock, disk, backups, mail, engines, address."""

import shutil
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from smtplib import SMTPException

import psycopg
from django.conf import settings
from django.core.checks import ERROR, Tags, run_checks
from django.core.mail import get_connection
from django.db import connection
from django.utils import timezone

from apikeys.connect.metadata import SERVER_PATH
from apikeys.mail.sending import LOST_GROUND, oldest_unsent
from apikeys.models import Mail
from apikeys.notes import OLDEST_BACKUP, last_backup
from brands.later import LONGEST_WAIT, has_worker, waiting_jobs
from config.apps import SERVICE
from config.doctor.checks import Finding, Room, ok, warning, wrong
from config.health import migrations_state, write
from config.postgres import OLDEST
from visibility.models import Engine
from visibility.runs.engines import reach, state_of

ROOM = Room()
LEAST_FREE, LEAST_FREE_PART = 10**9, 0.05
"""Bytes, and the part of a file system, below which a disk is nearly full."""
CLOCK_SECONDS = 2
"""The most by which clocks may differ: jobs, windows of limits and pauses of providers are told by them."""
ADDRESS_SECONDS = 5
LATE_MAIL = timedelta(minutes=15)
"""After so long a mail has been refused several times, or no worker runs."""
GIVEN_UP_WITHIN = timedelta(days=1)


@ROOM.check("settings", "what `manage.py check` and the start of a public service refuse", needs_database=False)
def settings_are_safe() -> Iterator[Finding]:
    """The checks of Django and of the service, and those for a public one where it is one."""
    problems = run_checks(tags=[SERVICE])
    if settings.IS_PUBLIC:
        problems += run_checks(tags=[Tags.security], include_deployment_checks=True)
    silenced = set(settings.SILENCED_SYSTEM_CHECKS)
    for problem in problems:
        if problem.id not in silenced:
            words = f"{problem.msg} {problem.hint or ''}".strip()
            yield wrong(words) if problem.level >= ERROR else warning(words)
    if not problems:
        yield ok(f"fit for {'a public service' if settings.IS_PUBLIC else 'this machine alone'}")


@ROOM.check(
    "database",
    "one connection without the pool, with PostgreSQL's own reason where it is refused",
    needs_database=False,
)
def database_answers() -> Iterator[Finding]:
    """The pool hides why a connection is refused."""
    parameters = connection.get_connection_params()
    wanted = {name: value for name, value in parameters.items() if name not in ("cursor_factory", "context")}
    try:
        with psycopg.connect(**wanted) as single:
            row = single.execute("SELECT current_database(), current_setting('server_version')").fetchone()
    except psycopg.Error as error:
        yield wrong(f"No connection: {' '.join(str(error).split())}")
        return
    yield ok("{} on PostgreSQL {}".format(*(row or ("", ""))))


@ROOM.check("limits", f"PostgreSQL {OLDEST} or newer, and connections for a web server and a worker")
def database_has_room() -> Iterator[Finding]:
    """The limits that `migrate` looks at, and how many connections are open now."""
    problems = run_checks(tags=[Tags.database], databases=["default"])
    yield from (
        (wrong if problem.level >= ERROR else warning)(f"{problem.msg} {problem.hint or ''}".strip())
        for problem in problems
    )
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*), current_setting('max_connections')::int FROM pg_stat_activity")
        used, most = cursor.fetchone()
    words = f"{used} of {most} connections are open"
    yield (
        warning(f"{words}: raise max_connections, or put a pooler before the web servers.")
        if used > 0.8 * most
        else ok(words)
    )


@ROOM.check("tables", "migrations that are not applied, or are of a newer release")
def tables_fit() -> Iterator[Finding]:
    """What readiness looks at."""
    state = migrations_state()
    yield (
        ok("as this release has them")
        if state == "ok"
        else wrong(f"Of the migrations {state}. Run `manage.py migrate`.")
    )


@ROOM.check("disk", "room where the service writes, and whether the database takes a write")
def disk_has_room() -> Iterator[Finding]:
    """A disk that is nearly full stops PostgreSQL."""
    write()
    yield ok("the database takes a write")
    for folder in {settings.VAR_DIR, Path(tempfile.gettempdir())}:
        usage = shutil.disk_usage(folder)
        words = f"{usage.free / 1e9:.1f} GB are free at {folder}"
        is_full = usage.free < min(LEAST_FREE, LEAST_FREE_PART * usage.total)
        yield warning(f"Only {words}.") if is_full else ok(words)


@ROOM.check("clock", f"whether this clock and PostgreSQL's differ by more than {CLOCK_SECONDS} s")
def clocks_agree() -> Iterator[Finding]:
    """Half of the way there and back is taken off."""
    with connection.cursor() as cursor:
        begun = datetime.now(UTC)
        cursor.execute("SELECT clock_timestamp()")
        (theirs,) = cursor.fetchone()
    middle = begun + (datetime.now(UTC) - begun) / 2
    seconds = abs((theirs - middle).total_seconds())
    words = f"this clock and PostgreSQL's differ by {seconds:.1f} s"
    yield wrong(f"{words.capitalize()}: run a time service (NTP) on both.") if seconds > CLOCK_SECONDS else ok(words)


@ROOM.check("queue", "whether a worker runs, and for how long jobs wait")
def queue_moves() -> Iterator[Finding]:
    """Jobs of one brand wait for each other; five minutes are more than that takes."""
    yield (
        ok("a worker runs")
        if has_worker()
        else wrong("No worker runs: start `manage.py worker`, or look at its log.")
    )
    number, wait = waiting_jobs()
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM procrastinate_jobs WHERE status = 'failed'")
        (failed,) = cursor.fetchone()
    words = f"{number} jobs wait" + (f", the oldest for {wait.total_seconds():.0f} s" if wait else "")
    yield warning(f"{words.capitalize()}. Start another worker.") if wait > LONGEST_WAIT else ok(words)
    if failed:
        yield warning(f"{failed} jobs failed within a week; the worker's log has why.")


@ROOM.check("backups", f"whether `manage.py backup` ended within {OLDEST_BACKUP.total_seconds() / 3600:.0f} hours")
def backup_is_new() -> Iterator[Finding]:
    """Backups by other programs are not known here."""
    at = last_backup()
    if at is None:
        yield warning("No backup by `manage.py backup` is known. Make one, and let a timer do so each night.")
        return
    words = f"the last backup is of {at:%-d %b %Y %H:%M} UTC"
    yield warning(f"{words.capitalize()}.") if timezone.now() - at > OLDEST_BACKUP else ok(words)


@ROOM.check("mail", "whether the server of mail answers, and what is not sent, and since when")
def mail_leaves() -> Iterator[Finding]:
    """The server is greeted and signed in to; nothing is sent."""
    if settings.HAS_MAIL:
        yield _server_of_mail()
    else:
        words = "no mail is sent: EMAIL_URL is not set. Links are shown to who acts"
        yield warning(f"{words[0].upper()}{words[1:]}.") if settings.IS_PUBLIC else ok(words)
    yield from _unsent()


def _server_of_mail() -> Finding:
    server, opened = f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}", get_connection()
    try:
        opened.open()
        opened.close()
    except (SMTPException, OSError) as error:
        return wrong(f"The server of mail at {server} refused ({' '.join(str(error).split())}). Look at EMAIL_URL.")
    return ok(f"{server} answers")


def _unsent() -> Iterator[Finding]:
    now, since = timezone.now(), oldest_unsent()
    number = Mail.objects.filter(next_try_at__isnull=False).count()
    words = f"{number} mails wait" + (f", the oldest since {since:%-d %b %Y %H:%M} UTC" if since else "")
    is_late = since is not None and now - since > LATE_MAIL
    yield warning(f"{words.capitalize()}: *Mail* in the admin says why.") if is_late else ok(words)
    given_up = Mail.objects.filter(given_up_at__gt=now - GIVEN_UP_WITHIN).exclude(problem__startswith=LOST_GROUND)
    if refused := given_up.count():
        yield warning(f"{refused} mails were given up within a day: *Mail* in the admin says why.")


@ROOM.check("engines", "whether engines can be asked; with --ask each is asked one real question")
def engines_can_be_asked() -> Iterator[Finding]:
    """An engine that is switched on and lacks its key is a warning; that none can be asked as well."""
    reached = 0
    for engine in Engine.objects.asked():
        is_reached = reach(engine) is not None
        reached += is_reached
        yield (ok if is_reached else warning)(f"{engine.name}: {state_of(engine)}")
    if not reached:
        yield warning("No engine can be asked: scans cannot start. `manage.py engines` says what each lacks.")


@ROOM.check("address", "whether people and apps reach the service at PUBLIC_URL", needs_database=False)
def address_answers() -> Iterator[Finding]:
    """From this machine: a network may keep its own machines from its public address."""
    address = f"{settings.PUBLIC_URL}/healthz"
    try:
        status, _ = _get(address)
        yield ok(f"{settings.PUBLIC_URL} answers") if status == 200 else wrong(f"{address} answers {status}.")
        if status == 200 and settings.APPS_SIGN_IN:
            _, body = _get(f"{settings.PUBLIC_URL}{SERVER_PATH}")
            if f'"issuer":"{settings.PUBLIC_URL}"'.encode() not in body:
                yield wrong(f"Apps cannot sign in: {SERVER_PATH} does not name {settings.PUBLIC_URL} as its issuer.")
    except OSError as error:
        yield warning(f"{address} does not answer from here ({error}).")


def _get(address: str) -> tuple[int, bytes]:
    """The status and body of an answer."""
    try:
        with urllib.request.urlopen(address, timeout=ADDRESS_SECONDS) as response:  # noqa: S310 - by the operator
            return response.status, response.read()
    except urllib.error.HTTPError as error:
        return error.code, b""
