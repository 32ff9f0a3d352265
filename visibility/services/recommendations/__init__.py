"""What people do with recommendations: look through the queue, and decide."""
