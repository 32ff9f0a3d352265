"""What people say of topics: which of them are the brand's business."""
