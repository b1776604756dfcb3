"""The tests. A run starts many processes: none of them compiles the product anew, whatever the environment says."""

import os
import sys

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
