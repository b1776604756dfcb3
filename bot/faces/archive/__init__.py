"""Files of messages that come from elsewhere."""
