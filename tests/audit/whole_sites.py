"""The two whole sites of the reference data, served as they were."""

import json
from pathlib import Path
from typing import Any

from tests.audit.sites import Answer, WebSite
from tests.reference import reference_file

_TYPES = {".html": "text/html; charset=utf-8", ".xml": "application/xml", ".txt": "text/plain"}


def whole_site(name: str) -> tuple[WebSite, dict[str, Any]]:
    """A site (`nutch`, `ofbiz`), and what an independent script counted of it."""
    facts = json.loads(reference_file(f"site-audit/sites/{name}.json").read_text())
    folder = reference_file(f"site-audit/sites/{name}")
    site = WebSite(host=facts["host"])
    for file in sorted(each for each in folder.rglob("*") if each.is_file()):
        path = f"/{file.relative_to(folder).as_posix()}"
        answer = Answer(file.read_bytes(), content_type=_TYPES.get(Path(path).suffix, "application/octet-stream"))
        site.pages[path] = answer
        if path.endswith("/index.html"):
            site.pages[path.removesuffix("index.html")] = answer
            site.pages.setdefault(path.removesuffix("/index.html"), Answer("", 301, {"Location": path[:-10]}))
        elif path.endswith(".html"):
            site.pages.setdefault(path.removesuffix(".html"), answer)
    return site, facts
