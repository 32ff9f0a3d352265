"""Site audits of brands: started, carried out by the worker, judged and read."""
