"""The agent endpoint: POST /mcp."""
