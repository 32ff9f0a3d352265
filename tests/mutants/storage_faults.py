"""The faults of what keeps the service's state: a database or queue that is away, backups, what is let go of."""

from tests.mutants.harness import Fault

AWAY = ("tests/service/test_database_away.py",)
HEALTH = ("tests/rest/test_health.py",)
BACKUP = "tests/service/test_backup.py"
QUEUE = ("tests/scans/test_queue_away.py",)
RETENTION = ("tests/scans/test_retention.py",)
OUTAGES = ("tests/rest/test_outages.py",)

STORAGE = (
    Fault(
        "connections that the server has closed leave the pool",
        "config/postgres/base.py",
        "if self.pool is None or _works(connection):",
        "if self.pool is None or connection:",
        AWAY,
    ),
    Fault(
        "callers are not told when to come back",
        "apikeys/http/responses.py",
        "        case 503:\n",
        "        case 599:\n",
        AWAY,
    ),
    Fault(
        "each failure of a database that is away is logged",
        "apikeys/db/outages.py",
        "            is_new = kind not in self._logged_at or now - self._logged_at[kind] >= TELL_SECONDS\n",
        "            is_new = True\n",
        OUTAGES,
    ),
    Fault(
        "a file that is called malformed ends the run",
        "apikeys/db/outages.py",
        "isinstance(error.__cause__, _READ_ONLY) or says_damaged(error)",
        "isinstance(error.__cause__, _READ_ONLY)",
        OUTAGES,
    ),
    Fault(
        "a damaged file is waited for without end",
        "visibility/jobs/patience.py",
        "    if lasted >= PATIENCE_SECONDS:\n",
        "    if lasted < 0:\n",
        OUTAGES,
    ),
    Fault(
        "a read-only database is ready",
        "visibility/services/health.py",
        "return self.database and self.writable and self.migrations and self.worker",
        "return self.database and self.migrations and self.worker",
        HEALTH,
    ),
    Fault(
        "each question whether it is ready takes a thread of a database that hangs",
        "visibility/services/health.py",
        "self._look is None or (self._look.done() and now - self._began >= FRESH_SECONDS)",
        "self._look is None or now - self._began >= FRESH_SECONDS",
        HEALTH,
    ),
    Fault(
        "a message that is none ends the worker",
        "config/local/filequeue.py",
        "            except Exception as error:  # whatever lies there must not end the worker\n",
        "            except ValueError as error:\n",
        QUEUE,
    ),
    Fault(
        "what a message does to the worker is not kept with it",
        "config/local/filequeue.py",
        "        callbacks[queue] = partial(self._deliver_or_set_aside, callbacks[queue])\n",
        "",
        QUEUE,
    ),
    Fault(
        "a worker ends when the broker goes away while it works",
        "config/redisqueue.py",
        "        if self.connection is None or self.connection.client is None:\n",
        "        if self.connection is None:\n",
        QUEUE,
    ),
    Fault(
        "the database kept aside lacks what its log held",
        "config/backups/sqlite.py",
        "    _settle(database)\n    previous",
        "    previous",
        (f"{BACKUP}::test_a_log_left_over_is_not_replayed_onto_the_restored_database",),
    ),
    Fault(
        "a damaged backup is restored",
        "config/backups/sqlite.py",
        "    _check(target, damaged)\n",
        "",
        (f"{BACKUP}::test_a_damaged_backup_is_refused_and_changes_nothing",),
    ),
    Fault(
        "a database is restored while others work on it",
        "config/backups/sqlite.py",
        '        if mode != "delete":\n',
        '        if mode == "nothing":\n',
        (f"{BACKUP}::test_another_command_that_works_on_the_database_stops_a_restore",),
    ),
    Fault(
        "a backup overwrites what is there",
        "config/backups/files.py",
        "    if not force:\n",
        "    if not force and not path.is_file():\n",
        (f"{BACKUP}::test_what_is_there_is_kept_unless_told_otherwise",),
    ),
    Fault(
        "every scheduler purges at every tick",
        "visibility/pipeline/retention.py",
        "    if not cache.add(today, True, ONE_DAY.total_seconds()):\n",
        "    if cache.add(today, True, ONE_DAY.total_seconds()) is None:\n",
        RETENTION,
    ),
    Fault(
        "sessions that still hold are purged",
        "apikeys/services/calls.py",
        "Session.objects.filter(expire_date__lt=timezone.now())",
        "Session.objects.all()",
        RETENTION,
    ),
)
