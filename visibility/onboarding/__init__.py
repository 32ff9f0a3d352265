"""The first hour of a brand: what is read of its site, and what is proposed from that."""
