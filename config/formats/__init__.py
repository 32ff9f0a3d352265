"""How pages write dates and times: Django looks here for a package of each language."""
