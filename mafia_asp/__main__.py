"""The process behind ``mafia-asp`` and ``python -m mafia_asp``."""

from __future__ import annotations

import gc
import os
import sys


def run() -> None:
    """Run the command line, and end the process with its exit status.

    Most runs are over in a tenth of a second: they collect no garbage, and their memory is left to
    the system, which frees it at once.
    """
    gc.set_threshold(100_000, 20, 20)
    from .cli import main
    from .process import short_lived

    short_lived()
    status = main()
    if sys.gettrace() is None and sys.getprofile() is None and _flushed():
        os._exit(status)
    sys.exit(status)


def _flushed() -> bool:
    """Write out what is left; False where that fails, which the interpreter then reports."""
    import atexit

    atexit._run_exitfuncs()
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except (OSError, ValueError):
        return False
    return True


if __name__ == "__main__":
    run()
