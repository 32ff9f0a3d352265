"""Who opens and sends what: every address of the service, people of every role, and rows to try them on."""
