"""Mail: a row before anything leaves, sent by the worker, ended by one click where it has not to be sent."""
