"""Faults of the fetcher: where it goes, whom it believes, and when it has enough."""

from tests.mutants.harness import Fault

ADDRESSES = ("tests/audit/fetch/test_addresses.py",)
BOUNDS = ("tests/audit/fetch/test_bounds.py",)
FETCHING = ("tests/audit/fetch/test_fetcher.py",)
GUARD = ("tests/audit/fetch/test_guard.py",)
INFLATING = ("tests/audit/fetch/test_inflate.py",)
SETTINGS = ("tests/service/test_audit_settings.py",)
TLS = ("tests/audit/fetch/test_tls.py",)
URLS = ("tests/audit/fetch/test_urls.py",)

FETCHES = (
    Fault(
        "a fetch looks at the first record of a name only",
        "visibility/audit/fetch/guard.py",
        "not all(is_public(address) for _, address in records)",
        "not is_public(records[0][1])",
        GUARD,
    ),
    Fault(
        "a fetch makes sockets for any address",
        "visibility/audit/fetch/guard.py",
        "            raise RefusedAddress(address)\n",
        "            pass\n",
        GUARD,
    ),
    Fault(
        "a fetch makes sockets for any port",
        "visibility/audit/fetch/guard.py",
        "not (port in PORTS and is_public(address))",
        "not is_public(address)",
        GUARD,
    ),
    Fault(
        "a fetch completes names by the machine's search list",
        "visibility/audit/fetch/guard.py",
        'f"{host}.", port',
        "host, port",
        GUARD,
    ),
    Fault(
        "a fetch tries all addresses that a name has",
        "visibility/audit/fetch/guard.py",
        "if tried[kind] <= MAX_OF_A_FAMILY:",
        "if True:",
        GUARD,
    ),
    Fault(
        "a fetch reaches any port of a local host's address",
        "visibility/audit/fetch/guard.py",
        "(address, port) not in self._local_hosts.values()",
        "address not in [place[0] for place in self._local_hosts.values()]",
        GUARD,
    ),
    Fault(
        "IPv6 that nobody was given is public",
        "visibility/audit/fetch/addresses.py",
        "if address not in _GIVEN_OUT_V6 or any(",
        "if any(",
        ADDRESSES,
    ),
    Fault(
        "what lies behind NAT64 is public",
        "visibility/audit/fetch/addresses.py",
        "return _is_public_v4(IPv4Address(int(address) & 0xFFFFFFFF))",
        "return True",
        ADDRESSES,
    ),
    Fault(
        "ISATAP addresses are public",
        "visibility/audit/fetch/addresses.py",
        "return int(address) >> 32 & 0xFFFFFFFF not in _ISATAP",
        "return True",
        ADDRESSES,
    ),
    Fault(
        "Azure's host is public",
        "visibility/audit/fetch/addresses.py",
        '        "168.63.129.16/32",',
        '        "168.63.129.18/32",',
        ADDRESSES,
    ),
    Fault(
        "this machine's own address is public",
        "visibility/audit/fetch/addresses.py",
        "return known and not _is_own(address)",
        "return known",
        ADDRESSES,
    ),
    Fault(
        "a redirect is followed unseen",
        "visibility/audit/fetch/fetcher.py",
        "target = self._checked(answer.location, target, hops)",
        "target = target.join(URL(answer.location))",
        FETCHING,
    ),
    Fault(
        "one redirect too many is followed",
        "visibility/audit/fetch/fetcher.py",
        "if len(hops) == self._max_redirects:",
        "if len(hops) > self._max_redirects:",
        FETCHING,
    ),
    Fault(
        "a fetch has no deadline",
        "visibility/audit/fetch/fetcher.py",
        "asyncio.timeout(left)",
        "asyncio.timeout(None)",
        BOUNDS,
    ),
    Fault(
        "each redirect has a deadline of its own",
        "visibility/audit/fetch/fetcher.py",
        "left=self._deadline - spent",
        "left=self._deadline",
        BOUNDS,
    ),
    Fault(
        "waiting for a connection of ours counts as the server's time",
        "visibility/audit/fetch/fetcher.py",
        "async with self._slot(target):",
        "async with asyncio.Semaphore(self._per_host):",
        FETCHING,
    ),
    Fault(
        "fetches carry cookies",
        "visibility/audit/fetch/fetcher.py",
        "aiohttp.DummyCookieJar()",
        "aiohttp.CookieJar()",
        FETCHING,
    ),
    Fault(
        "fetches go through the environment's proxy",
        "visibility/audit/fetch/fetcher.py",
        "trust_env=False",
        "trust_env=True",
        FETCHING,
    ),
    Fault(
        "certificates of other hosts are accepted",
        "visibility/audit/fetch/fetcher.py",
        "    context.hostname_checks_common_name = False\n",
        "    context.check_hostname = False\n",
        TLS,
    ),
    Fault(
        "the old place of a certificate's name is believed",
        "visibility/audit/fetch/fetcher.py",
        "    context.hostname_checks_common_name = False\n",
        "",
        TLS,
    ),
    Fault(
        "a body in another coding is taken for text",
        "visibility/audit/fetch/fetcher.py",
        'if coding not in ("", "identity"):',
        "if False:",
        BOUNDS,
    ),
    Fault(
        "a compressed body without its end is taken for whole",
        "visibility/audit/fetch/fetcher.py",
        "if inflater and not inflater.complete:",
        "if False:",
        BOUNDS,
    ),
    Fault(
        "gzip is inflated without a bound",
        "visibility/audit/fetch/inflate.py",
        "self._member.decompress(data, room + 1)",
        "self._member.decompress(data)",
        INFLATING,
    ),
    Fault(
        "a body that just fits is called cut",
        "visibility/audit/fetch/inflate.py",
        "self.cut = len(self._out) > self._limit",
        "self.cut = len(self._out) >= self._limit",
        (*BOUNDS, *INFLATING),
    ),
    Fault(
        "addresses may hold user names",
        "visibility/audit/fetch/urls.py",
        'if authority and ("@" in authority[1] or "\\uff20" in authority[1]):',
        "if False:",
        URLS,
    ),
    Fault(
        "names that are set aside are public",
        "visibility/audit/fetch/urls.py",
        "        and labels[-1] not in SPECIAL_NAMES\n",
        "",
        URLS,
    ),
    Fault(
        "names under any top-level domain are public",
        "visibility/audit/fetch/urls.py",
        "        and has_public_suffix(host)\n",
        "",
        URLS,
    ),
    Fault(
        "addresses may name any port",
        "visibility/audit/fetch/urls.py",
        "if url.port not in PORTS:",
        "if not url.port:",
        URLS,
    ),
    Fault(
        "the service fetches itself",
        "visibility/audit/fetch/urls.py",
        "if is_own_host(host, own_hosts):",
        "if False:",
        URLS,
    ),
    Fault(
        "a local host may be a machine elsewhere",
        "config/settings/audit.py",
        "if not address.is_loopback:",
        "if False:",
        SETTINGS,
    ),
    Fault(
        "production reaches local hosts",
        "config/settings/production.py",
        "bool(AUDIT_LOCAL_HOSTS),",
        "False,",
        SETTINGS,
    ),
    Fault(
        "nobody is told that audits reach this machine",
        "config/gunicorn.py",
        "in settings.AUDIT_LOCAL_HOSTS.items():",
        "in ():",
        SETTINGS,
    ),
)
