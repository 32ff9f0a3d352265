"""Names that nothing tells of are decided by an engine, where a brand wants that."""
