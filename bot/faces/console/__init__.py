"""The console: a simulated guild in the terminal, or driven by a transcript on standard input."""
