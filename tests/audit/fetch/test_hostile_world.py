"""Attacks in a world of their own: none opens a connection to where nobody may go, and what is allowed works.

The world is described in tests/audit/fetch/world. Where a machine makes no network namespaces this is skipped, aloud;
the policy itself is tested everywhere by the other files here.
"""

import json
import shutil
import subprocess
import sys
from collections import Counter
from ipaddress import ip_address, ip_network

import pytest

from tests.audit.fetch.world.__main__ import MAX_SECONDS
from tests.audit.fetch.world.cases import LOCAL
from tests.audit.fetch.world.network import COMMAND, ip_program
from tests.live import ROOT

pytestmark = pytest.mark.proof
MIN_ATTACKS = 400
CONTROLS = 16
MAX_GROWTH = 16 * 2**20
SEEN_PORTS = {80, 443}
OUTSIDE = ["93.184.0.0/16", "2606:2800:220::/48", "64:ff9b::5db8:d822/128", "172.32.0.1/32", "100.128.0.1/32"]


def why_there_is_no_world():
    if sys.platform != "linux" or not shutil.which("unshare") or not ip_program():
        return "the programs `unshare` and `ip` of Linux are not here"
    tried = [*COMMAND, ip_program(), "link", "add", "here", "type", "veth", "peer", "name", "there"]
    done = subprocess.run(tried, capture_output=True, text=True, check=False)
    return f"this machine makes no network namespaces: {done.stderr.strip()}" if done.returncode else ""


@pytest.fixture(scope="module")
def happened():
    """What happened in the world, attack by attack."""
    reason = why_there_is_no_world()
    if reason:
        pytest.skip(f"No hostile world: {reason}")
    command = [*COMMAND, sys.executable, "-m", "tests.audit.fetch.world"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def attacks(happened):
    return [*happened["attacks"], *happened["slow"]]


def plain(reached):
    """Addresses and ports, IPv4 as such."""
    return [(address.removeprefix("::ffff:"), port) for address, port in reached]


def is_of_the_web(address, port):
    """Told from the world's own list, not from the code that is tested."""
    parsed = ip_address(address)
    return port in SEEN_PORTS and any(
        parsed in network for network in map(ip_network, OUTSIDE) if network.version == parsed.version
    )


def test_the_watch_sees_every_connection_to_where_nobody_may_go(happened):
    expected = plain(happened["expected"])
    assert plain(happened["alarms"]) == expected
    on_this_machine = [each for each in expected if each[0] in ("127.0.0.1", "::1")]
    assert sorted(plain(happened["here"])) == sorted(on_this_machine)
    assert set(expected) - set(on_this_machine) <= set(plain(happened["there"]))


def test_every_control_passes(happened):
    passed = [
        control["names"][0]
        for control in happened["controls"]
        if control["ends"] == ["whole"]
        and control["opened"]
        and all(is_of_the_web(*each) or tuple(each) == LOCAL for each in control["opened"])
    ]
    assert len(passed) == CONTROLS, [control for control in happened["controls"] if control["names"][0] not in passed]
    assert happened["demo"] == 1


def test_no_attack_opens_a_connection_to_where_nobody_may_go(happened, attacks):
    assert sum(len(attack["names"]) for attack in attacks) >= MIN_ATTACKS
    wrong = [(attack["names"], each) for attack in attacks for each in attack["opened"] if not is_of_the_web(*each)]
    assert wrong == []
    # Once more as the servers saw it: nobody beyond the alarms' own connections.
    reached = Counter(plain(happened["here"] + happened["there"])) - Counter(plain(happened["expected"]))
    assert [each for each in reached if not is_of_the_web(*each)] == []


def test_every_attack_ends_as_it_should(attacks):
    wrong = [
        (name, end, allowed)
        for attack in attacks
        for name, end, allowed in zip(attack["names"], attack["ends"], attack["allowed"], strict=True)
        if end not in allowed
    ]
    assert wrong == []


def test_refused_names_and_addresses_open_no_connection_at_all(happened):
    """Names that lead inside, and addresses written out: not even a public server hears of them."""
    kinds = ("address:", "notation:", "literal:", "DNS:")
    quiet = [attack for attack in happened["attacks"] if attack["names"][0].startswith(kinds)]
    assert len(quiet) > 250
    assert [attack["names"] for attack in quiet if attack["opened"]] == []


def test_no_attack_costs_more_memory_than_a_few_pages(attacks):
    assert [attack["names"] for attack in attacks if attack["grown"] > MAX_GROWTH] == []


def test_no_attack_takes_longer_than_its_deadline(happened):
    """And a second more. What draws things out does so again where the machine was too busy the first time."""
    attacks = [*happened["attacks"], happened["slow"][-1]]
    assert [(attack["names"], attack["seconds"]) for attack in attacks if attack["seconds"] > MAX_SECONDS] == []
