"""Letters on a brand's week, and alerts: what the pages say, brought to people by mail."""
