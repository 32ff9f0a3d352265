"""What tests of pages share."""

import pytest
from django.urls import reverse


@pytest.fixture
def visit(client):
    """Open a page as somebody, or send it a form; `user` None stays who it was."""

    def go(user, name, data=None, query="", follow=True, **where):
        if user:
            client.force_login(user)
        address = reverse(name, kwargs=where)
        return client.get(address + query) if data is None else client.post(address, data, follow=follow)

    return go
