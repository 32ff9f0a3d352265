"""`python -m tests.bench.audit_site PAGES KILOBYTES LATENCY`: a site on loopback, in a process of its own.

Prints its port. Each address answers after the latency; /book gives how often each was asked.
"""

import asyncio
import json
import random
import sys
from collections import Counter

from aiohttp import web

WORDS = ("site", "page", "product", "price", "answer", "reader", "crawler", "index", "score", "brand", "search")


def body(number, pages, kilobytes):
    """A page with a title, headings, links, structured data and prose, as long as asked."""
    words = random.Random(number)
    links = "".join(f'<li><a href="/page-{other}">Page {other}</a></li>' for other in range(pages))
    data = json.dumps({"@context": "https://schema.org", "@type": "Article", "headline": f"Page {number}"})
    head = (
        f"<!doctype html><html lang=en><head><title>Page {number} of the site</title>"
        f'<link rel=canonical href="http://acme.example/page-{number}">'
        f'<script type="application/ld+json">{data}</script></head>'
        f"<body><nav><ul>{links}</ul></nav><main><h1>Page</h1>"
    )
    parts, size = [head], len(head)
    while size < kilobytes * 1000:
        paragraph = " ".join(words.choices(WORDS, k=60))
        parts.append(f"<h2>{paragraph[:40]}</h2><p>{paragraph}.</p><ul><li>{paragraph[:80]}</li></ul>")
        size += len(parts[-1])
    return "".join([*parts, "</main></body></html>"]).encode()


def application(pages, kilobytes, latency):
    """The site as an application."""
    bodies = {f"/page-{number}": body(number, pages, kilobytes) for number in range(1, pages)}
    bodies["/"] = body(0, pages, kilobytes)
    entries = "".join(f"<url><loc>http://acme.example{path}</loc></url>" for path in bodies)
    sitemap = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'
    book = Counter()

    async def answer(request):
        if request.path == "/book":
            return web.json_response(book)
        book[request.path] += 1
        await asyncio.sleep(latency)
        if request.path in bodies:
            return web.Response(body=bodies[request.path], content_type="text/html")
        if request.path == "/robots.txt":
            return web.Response(text="User-agent: *\nDisallow:\nSitemap: http://acme.example/sitemap.xml\n")
        if request.path == "/sitemap.xml":
            return web.Response(text=sitemap, content_type="application/xml")
        return web.Response(status=404)

    site = web.Application()
    site.router.add_get("/{path:.*}", answer)
    return site


async def main(pages, kilobytes, latency):
    """Serve until this process is ended."""
    runner = web.AppRunner(application(pages, kilobytes, latency), access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    print(site._server.sockets[0].getsockname()[1], flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])))
