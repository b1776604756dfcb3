"""`python -m bot` is `keepsake`."""

import sys

from bot.cli import main

sys.exit(main())
