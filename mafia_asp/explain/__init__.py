"""Explanations: why something is so, and why something is not.

They come from the encodings themselves: every rule is doubled by a support atom
(:mod:`.rewrite`), the support atoms of an answer set are its proof (:mod:`.graph`), from which a
tree is grown that shows what a moderator wants to see (:mod:`.tree`, :mod:`.causes`), in words
(:mod:`.words`) and on a page (:mod:`.show`). What would have to be different is searched (:mod:`.near`).
"""

from __future__ import annotations

from .answer import Explanation, why, why_not

__all__ = ["Explanation", "why", "why_not"]
