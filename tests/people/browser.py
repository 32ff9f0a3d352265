"""A browser without scripts: opens a page, fills in its form, sends it with the token that the page carries."""

from html.parser import HTMLParser

from django.test import Client


class FormReader(HTMLParser):
    """The fields of the page's own form (not those that sign out or search), with their values."""

    def __init__(self):
        super().__init__()
        self.fields = {}
        self._inside, self._select, self._area = False, None, None

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag == "form":
            self._inside = attrs.get("id") not in {"logout-form", "changelist-search"}
        if not self._inside or "disabled" in attrs:
            return
        name, value = attrs.get("name"), attrs.get("value", "")
        if tag == "input" and name and attrs.get("type") != "submit":
            if attrs.get("type") not in {"checkbox", "radio"} or "checked" in attrs:
                self.fields.setdefault(name, []).append(value if value or attrs.get("type") != "checkbox" else "on")
        elif tag == "select":
            self._select = name
        elif tag == "option" and self._select and "selected" in attrs:
            self.fields.setdefault(self._select, []).append(value)
        elif tag == "textarea":
            self._area = name
            self.fields[name] = [""]

    def handle_endtag(self, tag):
        if tag == "form":
            self._inside = False
        elif tag == "select":
            self._select = None
        elif tag == "textarea":
            self._area = None

    def handle_data(self, data):
        if self._area:
            # A browser drops the line break that follows the opening tag.
            self.fields[self._area] = [(self.fields[self._area][0] + data).removeprefix("\n")]


class TextReader(HTMLParser):
    """The character data of a page."""

    def __init__(self):
        super().__init__()
        self.parts = []

    def handle_data(self, data):
        self.parts.append(data)


class Browser:
    """A signed-in person; every form carries the token that Django checks."""

    def __init__(self, user=None):
        self.client = Client(enforce_csrf_checks=True)
        if user:
            self.client.force_login(user)

    def open(self, address, status=200):
        answer = self.client.get(address)
        assert answer.status_code == status, (address, answer.status_code)
        return answer

    def form(self, address):
        """The fields of the form on a page, as a browser would send them."""
        reader = FormReader()
        reader.feed(self.open(address).content.decode())
        assert "csrfmiddlewaretoken" in reader.fields, f"no form on {address}"
        return reader.fields

    def submit(self, address, **changes):
        """Open the page, change fields, send the form; the answer, not followed."""
        fields = self.form(address)
        fields.update({name: value if isinstance(value, list) else [value] for name, value in changes.items()})
        return self.client.post(address, fields)


def text_of(answer):
    """The text of a page, as far as a test looks for sentences in it."""
    reader = TextReader()
    reader.feed(answer.content.decode())
    return " ".join(" ".join(reader.parts).split())
