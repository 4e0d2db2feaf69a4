"""A room with a client of its own: `python -m tests.browser.dressed FOLDER serve ...` is `ananas serve` but for that."""

from __future__ import annotations

import sys
from pathlib import Path
from unittest.mock import patch

from ananas.cli.main import main
from ananas.server import app

if __name__ == "__main__":
    with patch.object(app, "STATIC", Path(sys.argv.pop(1))):
        main()
