"""What is measured, and what follows from it."""
