"""The search of local-search: the stored pages of one brand, searched by the database."""

from django.db import connection

from brands.models import Brand
from visibility.engines.adapters.local_search import Passage, search_terms

MAX_TERMS = 32


def search_pages(brand: Brand, query: str, limit: int) -> list[Passage]:
    """The brand's pages that hold any word of `query`, best first (BM25 on SQLite, ts_rank on PostgreSQL)."""
    terms = search_terms(query)[:MAX_TERMS]
    if not terms:
        return []
    if connection.vendor == "sqlite":
        any_term = " OR ".join(f'"{term}"' for term in terms)
        statement = _SQLITE
        parameters: list[str | int] = [
            f'brand_id:"{brand.pk.hex}" AND {{title text}}:({any_term})',
            brand.pk.hex,
            limit,
        ]
    else:
        any_term = " or ".join(f'"{term}"' for term in terms)
        statement = _POSTGRESQL
        parameters = [any_term, str(brand.pk), limit]
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return [Passage(*row) for row in cursor.fetchall()]


# Words are letters, digits and underscores only (search_terms), so that quoting them is enough.
_SQLITE = """
    SELECT page.url, page.title, page.text, page.published_on
    FROM visibility_page_text JOIN visibility_page page ON page.id = visibility_page_text.rowid
    WHERE visibility_page_text MATCH %s AND page.brand_id = %s
    ORDER BY bm25(visibility_page_text, 0.0, 2.0, 1.0), page.url
    LIMIT %s
"""


_POSTGRESQL = """
    SELECT page.url, page.title, page.text, page.published_on
    FROM visibility_page page, websearch_to_tsquery('english', %s) AS wanted
    WHERE to_tsvector('english', page.title || ' ' || page.text) @@ wanted AND page.brand_id = %s
    ORDER BY ts_rank(to_tsvector('english', page.title || ' ' || page.text), wanted) DESC, page.url
    LIMIT %s
"""
