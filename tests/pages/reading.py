"""How tests read pages, and staff who do."""

from html.parser import HTMLParser

from django.contrib.auth.models import Permission

from tests.factories import UserFactory


def staff(*codenames):
    user = UserFactory(is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=codenames))
    return user


class Tags(HTMLParser):
    """The tags of a page, each with its attributes; refuses what is closed in another order than it was opened."""

    VOID = {"meta", "link", "input", "br", "img", "progress", "hr"}

    def __init__(self, page):
        super().__init__()
        self.tags, self._open = [], []
        self.feed(page)
        assert self._open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self._open.append(tag)

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def all(self, *names):
        return [attributes for tag, attributes in self.tags if tag in names]
