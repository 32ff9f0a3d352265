"""The words by which a brand's pages are read for evidence, by language."""
