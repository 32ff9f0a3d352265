"""Each table can be had from the page that shows it: what no page leads to, nobody downloads."""

import re
from pathlib import Path

from django.conf import settings

from visibility.services.tables.catalogue import ACCOUNT_TABLES, BRAND_TABLES

TEMPLATES = Path(settings.BASE_DIR) / "templates" / "visibility"
OF_A_BRAND = re.compile(r'_csv\.html" with table="(\w+)"')
OF_AN_ACCOUNT = re.compile(r"url 'account-csv' '(\w+)'")


def test_every_table_is_linked_from_a_page():
    texts = [path.read_text(encoding="utf-8") for path in TEMPLATES.rglob("*.html")]
    assert {name for text in texts for name in OF_A_BRAND.findall(text)} == {*BRAND_TABLES}
    assert {name for text in texts for name in OF_AN_ACCOUNT.findall(text)} == {*ACCOUNT_TABLES}
