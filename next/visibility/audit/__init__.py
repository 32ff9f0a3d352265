"""Site audits: bytes of strangers → facts → findings. No database, no Django. See README.md."""
