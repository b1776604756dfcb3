"""What Keepsake keeps. Others come in by the three doors: manager, directory and library."""
