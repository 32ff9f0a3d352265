"""Short ways to ask the detector about one text."""

from visibility.detection import Detector, Mention, Policy, Subject

ASKED = "What is the best thing to buy?"


def mentions(
    text: str,
    *names: str,
    prompt: str = ASKED,
    domain: str = "",
    policy: Policy | None = None,
    description: str = "",
    sources: tuple[tuple[str, str], ...] = (),
) -> list[Mention]:
    """The mentions of one subject with these names."""
    policies = dict.fromkeys(names, policy) if policy else {}
    subject = Subject("it", names, (domain,) if domain else (), policies, description)
    return list(Detector([subject]).detect(text, prompt, sources).mentions)


def words(text: str, *names: str, prompt: str = ASKED, **more: str) -> list[str]:
    """What the mentions of one subject are in the text."""
    return [text[mention.start : mention.end] for mention in mentions(text, *names, prompt=prompt, **more)]


def ranks(text: str, *names: str, prompt: str = ASKED) -> list[int | None]:
    """The rank of each of these subjects, None for those that are not mentioned."""
    found = Detector([Subject(name, (name,)) for name in names]).detect(text, prompt)
    by_subject = {mention.subject: mention.rank for mention in found.mentions}
    return [by_subject.get(name) for name in names]
