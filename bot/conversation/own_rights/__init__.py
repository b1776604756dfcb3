"""What members decide about what is kept of themselves: whether, which kinds, who is told, a copy, the end of it."""
