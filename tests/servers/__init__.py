"""Model servers on the loopback: they answer the real clients as the real services would, good days and bad."""
