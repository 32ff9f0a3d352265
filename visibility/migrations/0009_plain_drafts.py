"""Drafts are stored plain: the marks around words of others go; resources set them where an agent reads."""

import html
import re

from django.db import migrations

MARKED = re.compile("<untrusted-quote>(.*?)</untrusted-quote>", re.DOTALL)
NOTICE = re.compile(
    r" ?Text between <untrusted-quote> and </untrusted-quote> was written by others\..*?use the text\."
)


def plain(text):
    """The text without the sentence that explains the marks, and without marks."""
    return MARKED.sub(lambda match: html.unescape(match[1]), NOTICE.sub("", text, count=1))


def plain_check(check):
    """A check whose words of others are apart."""
    detail = check["detail"]
    quote = MARKED.search(detail)
    return {
        **check,
        "detail": MARKED.sub("", detail).strip(" :"),
        "quote": html.unescape(quote[1]) if quote else None,
    }


def forwards(apps, schema_editor):
    for row in apps.get_model("visibility", "Draft").objects.order_by("pk").iterator():
        row.title, row.markdown = plain(row.title), plain(row.markdown)
        row.checks = [plain_check(check) for check in row.checks]
        row.sources = [{**source, "text": plain(source["text"])} for source in row.sources]
        row.save(update_fields=["title", "markdown", "checks", "sources"])


class Migration(migrations.Migration):
    dependencies = [("visibility", "0008_kinds")]

    operations = [migrations.RunPython(forwards, migrations.RunPython.noop)]
