"""The path under which a file is reported."""

from __future__ import annotations

import os


def shown_path(file: str) -> str:
    """Give a path relative to the working folder where it is below it, of a shipped file ``encodings/…``."""
    from ..rulebook import encodings

    whole = os.path.realpath(file)
    for folder, head in ((os.getcwd(), ""), (encodings(), "encodings")):
        inside = os.path.realpath(folder)
        if whole.startswith(os.path.join(inside, "")):
            return os.path.join(head, os.path.relpath(whole, inside)).replace(os.sep, "/")
    return whole.replace(os.sep, "/")
