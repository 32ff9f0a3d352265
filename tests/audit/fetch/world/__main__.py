"""Builds the world, fetches everything in it, and prints what happened."""

import asyncio
import json
import multiprocessing
import resource
import shutil
import socket
import ssl
import sys
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.audit.fetch.certificates import server_context, trusted
from tests.audit.fetch.servers import forever, page, serving
from tests.audit.fetch.world.cases import LOCAL, OTHER_PORTS, world
from tests.audit.fetch.world.names import Names, answer_queries
from tests.audit.fetch.world.network import (
    DRIPPING,
    RESOLVER,
    Watch,
    ask_only,
    build_here,
    build_there,
    leave_this_network,
)
from visibility.audit.fetch.failures import FetchError
from visibility.audit.fetch.fetcher import Fetcher

ALARMS = [
    ("10.0.0.1", 80),
    ("169.254.169.254", 80),
    ("127.0.0.1", 80),
    ("::1", 443),
    ("fd00::1", 80),
    ("93.184.216.34", 8080),
    ("::ffff:192.168.1.1", 443),
]
"""Connections made on purpose: the watch and the servers must see each."""
MAX_SECONDS = 15.0


def everywhere(stack, behaviours, tls):
    """Servers on every address of this namespace, at the ports of the web and some others; all that were reached."""
    ports = {port: None for port in OTHER_PORTS if port} | {80: None, 443: tls}
    return [
        stack.enter_context(serving(behaviours, host="::", port=port, tls=context, before=drip_at_its_place))
        for port, context in ports.items()
    ]


def drip_at_its_place(connection):
    """At one address, begin as a handshake does; the rest of its record comes a byte at a time."""
    if connection.getsockname()[0].endswith(DRIPPING):
        forever(b"\x16\x03\x03\x40\x00", b"\x02", pause=0.2)(connection)


def certified(signed, folder):
    """A context that shows each host the certificate made for it."""
    contexts = {host: server_context(each, folder) for host, each in signed.items()}
    first = next(iter(contexts.values()))

    def choose(connection, host, _):
        connection.context = contexts.get(host, first)

    shown = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    shown.sni_callback = choose
    return shown


def rest_of_the_world(pipe, built):
    """In a namespace of its own: names and servers, until report to end; then who was reached."""
    leave_this_network()
    pipe.send("left")
    pipe.recv()
    build_there()
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))
    with TemporaryDirectory() as folder, ExitStack() as stack:
        answer_queries(Names(built.names), RESOLVER)
        servers = everywhere(stack, built.paths, certified(built.signed, Path(folder)))
        pipe.send("ready")
        pipe.recv()
        pipe.send([reached for server in servers for reached in server.accepted])


def memory(field):
    """Of this process, in bytes: VmRSS, what it holds; VmHWM, the most it held."""
    text = Path("/proc/self/status").read_text()
    return int(text.split(f"{field}:")[1].split()[0]) * 1024


async def ended(case, **options):
    """How the fetch of a case ended."""
    async with Fetcher(user_agent="TestBot/1.0", authorities=trusted(), **options) as fetcher:
        began = time.monotonic()
        try:
            got = (await fetcher.get(case.url)).fetched
            end = "cut" if got.cut else "whole" if got.status == 200 else f"status {got.status}"
        except FetchError as error:
            end = error.reason
        except Exception as error:
            end = repr(error)
        return end, time.monotonic() - began


def fetched(cases, watch, **options):
    """Fetch all of them at a time; what that took and opened."""

    async def all_of_them():
        return await asyncio.gather(*(ended(case, **options) for case in cases))

    Path("/proc/self/clear_refs").write_text("5")
    before = memory("VmRSS")
    ends = asyncio.run(all_of_them())
    grown = memory("VmHWM") - before
    names = [case.name for case in cases]
    allowed = [list(case.ends) for case in cases]
    seconds = [took for _, took in ends]
    return {
        "names": names,
        "ends": [end for end, _ in ends],
        "allowed": allowed,
        "seconds": max(seconds),
        "grown": grown,
        "opened": watch.opened(),
    }


def alarms(watch):
    """Connect where nobody may, as the fetcher must not; what the watch saw."""
    for address in ALARMS:
        with suppress(OSError):
            socket.create_connection(address, timeout=10).close()
    return watch.opened()


def main():
    built = world()
    fork = multiprocessing.get_context("fork")
    pipe, theirs = fork.Pipe()
    rest = fork.Process(target=rest_of_the_world, args=(theirs, built), daemon=True)
    rest.start()
    theirs.close()  # so that its end is noticed here
    pipe.recv()
    build_here(rest.pid)
    pipe.send("connected")
    folder = ask_only(RESOLVER)
    pipe.recv()
    watch = Watch()
    with ExitStack() as stack:
        here = everywhere(stack, {}, None)
        demo = stack.enter_context(serving({"/page": page()}, host=LOCAL[0], port=LOCAL[1]))
        report = {"alarms": alarms(watch), "expected": ALARMS}
        fetched(built.controls[:2], watch)  # what is imported and made once is nobody's growth
        report["controls"] = [
            fetched([case], watch, **({"local_hosts": {"demo.example": LOCAL}} if case.local else {}))
            for case in built.controls
        ]
        report["attacks"] = [fetched([case], watch) for case in built.attacks if not case.slow]
        slow = [case for case in built.attacks if case.slow]
        report["slow"] = [fetched(slow, watch)]
        if report["slow"][0]["seconds"] > MAX_SECONDS:  # a machine that was busy elsewhere; the second time decides
            report["slow"].append(fetched(slow, watch))
        report["here"] = [reached for server in here for reached in server.accepted]
        report["demo"] = len(demo.accepted)
        pipe.send("end")
        report["there"] = pipe.recv()
    shutil.rmtree(folder, ignore_errors=True)
    json.dump(report, sys.stdout)


if __name__ == "__main__":
    main()
