"""An authority of the tests' own, and server certificates that it signs, good ones and bad ones."""

import datetime
import ssl
from dataclasses import dataclass, replace
from functools import cache

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

DAY = datetime.timedelta(days=1)
LONG = 3650 * DAY


@dataclass(frozen=True)
class Signed:
    """A certificate and its key; `chain` is what a server sends along."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey
    chain: tuple[x509.Certificate, ...] = ()

    @property
    def pem(self):
        sent = b"".join(each.public_bytes(serialization.Encoding.PEM) for each in (self.certificate, *self.chain))
        private = serialization.PrivateFormat.PKCS8
        return sent + self.key.private_bytes(serialization.Encoding.PEM, private, serialization.NoEncryption())


def _signed(name, by, *, authority=False, hosts=(), start=-DAY, end=LONG, usage=ExtendedKeyUsageOID.SERVER_AUTH):
    key = ec.generate_private_key(ec.SECP256R1())
    now = datetime.datetime.now(datetime.UTC)
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    building = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(by.certificate.subject if by else subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now + start)
        .not_valid_after(now + end)
        .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
    )
    if hosts:
        names = x509.SubjectAlternativeName([x509.DNSName(host) for host in hosts])
        building = building.add_extension(names, critical=False)
    if not authority:
        building = building.add_extension(x509.ExtendedKeyUsage([usage]), critical=False)
    return Signed(building.sign(by.key if by else key, hashes.SHA256()), key)


@cache
def authority():
    return _signed("Tests' authority", None, authority=True)


@cache
def _unknown_authority():
    return _signed("Nobody's authority", None, authority=True)


@cache
def _between():
    return _signed("Tests' authority, issuing", authority(), authority=True)


def good(*hosts):
    return _signed(hosts[0], authority(), hosts=hosts)


def bad(host):
    """By what is wrong: the certificate, and the words that a person is told."""
    other, usage = "other.com", ExtendedKeyUsageOID.CLIENT_AUTH
    from_unknown = replace(
        _signed(host, _unknown_authority(), hosts=[host]), chain=(_unknown_authority().certificate,)
    )
    return {
        "expired": (_signed(host, authority(), hosts=[host], start=-2 * DAY, end=-DAY), "has expired"),
        "not yet valid": (_signed(host, authority(), hosts=[host], start=DAY), "not valid yet"),
        "another host's": (_signed(other, authority(), hosts=[other]), "for another host name"),
        "of a host below": (_signed(host, authority(), hosts=[f"*.{host}"]), "for another host name"),
        "of all hosts": (_signed(host, authority(), hosts=["*.com"]), "for another host name"),
        "name in the old place alone": (_signed(host, authority()), "for another host name"),
        "self-signed": (_signed(host, None, hosts=[host]), "signed by itself"),
        "unknown authority": (_signed(host, _unknown_authority(), hosts=[host]), "authority is not known"),
        "unknown authority, sent along": (from_unknown, "signed by itself and not known"),
        "certificate between missing": (_signed(host, _between(), hosts=[host]), "does not send the certificates"),
        "for clients": (_signed(host, authority(), hosts=[host], usage=usage), "not one for a server"),
    }


def with_chain(host):
    return replace(_signed(host, _between(), hosts=[host]), chain=(_between().certificate,))


def server_context(signed, folder):
    """What a server with this certificate speaks TLS by."""
    file = folder / f"{signed.certificate.serial_number}.pem"
    file.write_bytes(signed.pem)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return context


def trusted():
    """The tests' authority, for who is to trust it and no other."""
    return authority().certificate.public_bytes(serialization.Encoding.PEM).decode()
