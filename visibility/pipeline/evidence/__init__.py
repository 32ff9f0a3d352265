"""The evidence of a brand: noticed when it is outdated, and made anew from its pages, reviews and answers."""
