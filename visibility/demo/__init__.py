"""An invented brand with sixty days of history, measured by `local-search` over bundled pages."""
