"""Audits of sites: robots → home page → sitemaps → crawl → probes → checks, each going on from what is stored."""
