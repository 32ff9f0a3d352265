"""What is fetched in the hostile world: attacks, and what must go on to work."""

from dataclasses import dataclass, field

from tests.audit.fetch.addresses import PRIVATE_V4, PRIVATE_V6, REFUSED_URLS, notations
from tests.audit.fetch.behaviours import BROKEN, CUT, EXHAUSTING
from tests.audit.fetch.certificates import bad, good, with_chain
from tests.audit.fetch.servers import answer, page, redirect, says
from tests.audit.fetch.world.names import SERVER_FAILURE, Name, leads_to
from tests.audit.fetch.world.network import DRIPPING, OWN_V4, OWN_V6, SILENT

WEB, WEB_V6 = "93.184.216.34", "2606:2800:220:1::1"
REFUSED = ("bad_url", "refused_address")
OTHER_PORTS = (0, 21, 22, 25, 79, 3306, 5432, 6379, 8000, 8080, 8443, 9200, 11211, 27017)
LOCAL = ("127.0.0.1", 18_000)


@dataclass(frozen=True)
class Case:
    """An address to fetch, and how that may end: with reasons of FetchError, or with "cut" or "whole" bodies."""

    name: str
    url: str
    ends: tuple[str, ...]
    slow: bool = False
    local: bool = False


@dataclass
class World:
    """Cases, and what they need: names, paths, certificates by host."""

    attacks: list[Case] = field(default_factory=list)
    controls: list[Case] = field(default_factory=list)
    names: dict[str, Name] = field(default_factory=dict)
    paths: dict = field(default_factory=dict)
    signed: dict = field(default_factory=dict)

    def attack(self, name, url, *ends, slow=False):
        self.attacks.append(Case(name, url, ends, slow))

    def host(self, name, leads=None):
        self.names[name] = leads or leads_to(WEB)
        return name

    def control(self, name, url, *, local=False):
        self.controls.append(Case(name, url, ("whole",), local=local))


def world():
    """All of it."""
    built = World()
    for add in (_written, _looked_up, _rebinding, _redirected, _certified, _exhausting, _broken, _controls):
        add(built)
    return built


def _written(built):
    for name, url in REFUSED_URLS.items():
        built.attack(f"address: {name}", url, *REFUSED)
    for address in ("127.0.0.1", "169.254.169.254", "10.0.0.1"):
        for name, host in notations(address).items():
            built.attack(f"notation: {name} of {address}", f"http://{host}/", *REFUSED)
    for address in PRIVATE_V6.values():
        built.attack(f"literal: {address}", f"http://[{address}]/", *REFUSED)


def _looked_up(built):
    """Names that lead to what is not public, alone and among what is."""
    for at, (kind, address) in enumerate([*PRIVATE_V4.items(), *PRIVATE_V6.items()]):
        host = built.host(f"leads{at}.evil.com", leads_to(address))
        built.attack(f"DNS: {kind} {address}", f"{'https' if at % 2 else 'http'}://{host}/", "refused_address")
    mixes = {
        "public, then private": (WEB, "10.0.0.1"),
        "private, then public": ("10.0.0.1", WEB),
        "public v4, private v6": (WEB, "fd00::1"),
        "private v4, public v6": ("127.0.0.1", WEB_V6),
        "public v6, mapped": (WEB_V6, "::ffff:127.0.0.1"),
        "one private of many": (*(f"93.184.216.{n}" for n in range(1, 20)), "169.254.169.254"),
        "this machine's own": (OWN_V4,),
        "this machine's own, v6": (OWN_V6,),
    }
    for at, (name, addresses) in enumerate(mixes.items()):
        host = built.host(f"mix{at}.evil.com", leads_to(*addresses))
        built.attack(f"DNS: {name}", f"http://{host}/", "refused_address")
    built.names["inside.evil.com"] = leads_to("10.0.0.1")
    built.names["alias2.evil.com"] = Name(alias="inside.evil.com")
    built.names["local-alias.evil.com"] = Name(alias="localhost")
    built.names["localhost"] = leads_to("127.0.0.1")
    alias = built.host("alias.evil.com", Name(alias="alias2.evil.com"))
    built.attack("DNS: CNAMEs to a name inside", f"http://{alias}/", "refused_address")
    built.attack("DNS: CNAME to localhost", "http://local-alias.evil.com/", "refused_address")
    built.host("loop.evil.com", Name(alias="loop-end.evil.com"))
    built.attack("DNS: CNAME to nothing", "http://loop.evil.com/", "no_such_host")
    built.attack("DNS: no such name", "http://nowhere.evil.com/", "no_such_host")
    built.names["completed.com.inside.net"] = leads_to(WEB)
    built.attack("DNS: a name that only the search list completes", "http://completed.com/", "no_such_host")
    built.attack("DNS: a name of the hosts file", "http://in-the-hosts-file.com/", "no_such_host", "refused_address")
    failing = built.host("failing.evil.com", Name(code=SERVER_FAILURE))
    built.attack("DNS: failing", f"http://{failing}/", "no_such_host")
    silent = built.host("silent.evil.com", Name(silent=True))
    built.attack("DNS: silent", f"http://{silent}/", "timeout", slow=True)
    dripping = built.host("dripping.evil.com", leads_to(DRIPPING))
    built.attack("a handshake that drips", f"https://{dripping}/", "timeout", slow=True)
    vanishing = built.host("vanishing.evil.com", leads_to(SILENT))
    built.attack("packets vanish", f"https://{vanishing}/", "timeout", slow=True)


def _rebinding(built):
    """Public when it is checked, private right after."""
    for at, inside in enumerate(["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "fd00::1", "::ffff:10.0.0.1"]):
        public = WEB_V6 if ":" in inside else WEB
        host = built.host(f"rebind{at}.evil.com", Name(((public,), (inside,))))
        built.attack(f"rebinding to {inside}", f"http://{host}/page", "whole")
        again = built.host(f"again{at}.evil.com", Name(((public,), (inside,))))
        built.paths[f"/again{at}"] = redirect(f"https://{again}/page")
        built.attack(f"rebinding to {inside} between redirects", f"http://{again}/again{at}", "refused_address")


def _redirected(built):
    host = built.host("redirecting.com")
    inside = built.host("inside-by-name.com", leads_to("192.168.1.1"))
    targets = [f"http://{host}:{port}/" for port in OTHER_PORTS]
    targets += [f"https://{each}/" for each in notations("127.0.0.1").values() if each.isascii()]
    targets += [f"//{each}/latest/meta-data/" for each in notations("169.254.169.254").values() if each.isascii()]
    targets += [
        f"http://user:secret@{host}/",
        f"http://{host}@10.0.0.1/",
        f"http://{host}\\@10.0.0.1/",
        "file:///etc/passwd",
    ]
    targets += [
        "http://[::1]/",
        f"http://{inside}/",
        f"https://{inside}/",
        "gopher://10.0.0.1:6379/_",
        "http://localhost/",
    ]
    for at, target in enumerate(targets):
        built.paths[f"/to{at}"] = redirect(target, (301, 302, 303, 307, 308)[at % 5])
        built.attack(f"redirect to {target}", f"http://{host}/to{at}", *REFUSED)
    last = f"/to{targets.index('http://[::1]/')}"
    built.paths["/hop1"], built.paths["/hop2"] = redirect("/hop2"), redirect(last)
    built.attack("redirect to a redirect to loopback", f"http://{host}/hop1", *REFUSED)
    built.paths["/round"] = redirect(f"http://{host}/round")
    built.attack("redirects without end", f"http://{host}/round", "too_many_redirects")


def _certified(built):
    for at, wrong in enumerate(bad("x.com")):
        host = built.host(f"certificate{at}.com")
        built.signed[host] = bad(host)[wrong][0]
        built.attack(f"certificate: {wrong}", f"https://{host}/page", "tls")


def _exhausting(built):
    host = built.host("exhausting.com")
    for path, make in EXHAUSTING.items():
        built.paths[path] = make()
        built.attack(f"without end: {path}", f"http://{host}{path}", "timeout", slow=True)
    for path, make in CUT.items():
        built.paths[path] = make()
        built.attack(f"too much: {path}", f"http://{host}{path}", "cut", "whole")


def _broken(built):
    host = built.host("broken.com")
    for path, (make, reason) in BROKEN.items():
        built.paths[path] = make()
        built.attack(f"broken: {path}", f"http://{host}{path}", reason)


def _controls(built):
    built.paths["/page"] = page(b"<title>Hello</title>")
    built.paths["/large"] = page(b"a" * 3_000_000)
    built.paths["/chunked"] = says(
        answer(200, "Transfer-Encoding: chunked", length=False) + b"5\r\nhello\r\n0\r\n\r\n"
    )
    built.paths["/to-encrypted"] = redirect("https://shop.com/page")
    built.paths["/elsewhere"] = redirect("http://www.shop.com/page", 302)
    built.paths["/moves"] = redirect("page", 308)
    for host in ("shop.com", "www.shop.com", "xn--mnchen-3ya.de", "v6.shop.com", "chain.shop.com"):
        built.signed[host] = good(host)
    built.signed["between.com"] = with_chain("between.com")
    built.host("shop.com"), built.host("www.shop.com"), built.host("xn--mnchen-3ya.de"), built.host("between.com")
    built.host("v6.shop.com", leads_to(WEB_V6))
    built.host("both.shop.com", leads_to(WEB, WEB_V6))
    built.host("nat64.shop.com", leads_to("64:ff9b::93.184.216.34"))
    built.names["chain2.shop.com"] = Name(alias="shop.com")
    built.host("chain.shop.com", Name(alias="chain2.shop.com"))
    built.host("edge.shop.com", leads_to("172.32.0.1", "100.128.0.1"))
    urls = {
        "plain": "http://shop.com/page",
        "encrypted": "https://shop.com/page",
        "certificate with one between": "https://between.com/page",
        "to encrypted": "http://shop.com/to-encrypted",
        "to another host": "https://shop.com/elsewhere",
        "to another page": "http://shop.com/moves",
        "large": "https://shop.com/large",
        "chunked": "http://shop.com/chunked",
        "IPv6": "https://v6.shop.com/page",
        "both families": "http://both.shop.com/page",
        "behind NAT64": "http://nat64.shop.com/page",
        "aliases": "https://chain.shop.com/page",
        "international": "https://münchen.de/page",
        "port said": "https://shop.com:443/page",
        "beside private networks": "http://edge.shop.com/page",
    }
    for name, url in urls.items():
        built.control(name, url)
    built.control("a host of this machine", "http://demo.example/page", local=True)
