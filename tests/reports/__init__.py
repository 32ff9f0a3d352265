"""What the service recommends to five brands by real answers, checked in and judged by hand."""
