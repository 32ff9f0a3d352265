"""A browser without scripts: opens a page, fills in its form, sends it with the token that the page carries."""

from html.parser import HTMLParser

from django.test import Client


class FormReader(HTMLParser):
    """The fields of the page's own form (the sign-out form of the header is not it), with their values."""

    def __init__(self):
        super().__init__()
        self.fields, self.names = {}, set()
        self._inside, self._select, self._area = False, None, None

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag == "form":
            self._inside = attrs.get("id") not in {"logout-form", "changelist-search"}
        if not self._inside or "disabled" in attrs:
            return
        name, value = attrs.get("name"), attrs.get("value", "")
        if tag == "input" and name and attrs.get("type") != "submit":
            self.names.add(name)
            if attrs.get("type") not in {"checkbox", "radio"} or "checked" in attrs:
                self.fields.setdefault(name, []).append(value if value or attrs.get("type") != "checkbox" else "on")
        elif tag == "select":
            self._select = name
            self.names.add(name)
        elif tag == "option" and self._select and "selected" in attrs:
            self.fields.setdefault(self._select, []).append(value)
        elif tag == "textarea":
            self._area = name
            self.names.add(name)
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
            text = self.fields[self._area][0] + data
            self.fields[self._area] = [text.removeprefix("\n")]


class Browser:
    """A signed-in person; every form carries the token that Django checks."""

    def __init__(self, user=None):
        self.client = Client(enforce_csrf_checks=True)
        self.user = user
        if user:
            self.client.force_login(user)

    def open(self, url, status=200):
        answer = self.client.get(url)
        assert answer.status_code == status, (url, answer.status_code)
        return answer

    def form(self, url):
        reader = FormReader()
        reader.feed(self.open(url).content.decode())
        assert "csrfmiddlewaretoken" in reader.fields, f"no form on {url}"
        return reader.fields

    def submit(self, url, **changes):
        """Open the page, change fields (None leaves one out), send the form; the answer, not followed."""
        fields = self.form(url)
        fields.update({name: value if isinstance(value, list) else [value] for name, value in changes.items()})
        return self.client.post(url, {name: value for name, value in fields.items() if value != [None]})


def text_of(answer):
    """The text of a page, as far as a test looks for sentences in it."""
    from_html = HTMLText()
    from_html.feed(answer.content.decode())
    return " ".join(" ".join(from_html.parts).split())


class HTMLText(HTMLParser):
    """The character data of a page."""

    def __init__(self):
        super().__init__()
        self.parts = []

    def handle_data(self, data):
        self.parts.append(data)
