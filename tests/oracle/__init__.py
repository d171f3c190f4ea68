"""An independent judge of nights: the meaning of the core, evaluated in plain Python.

It reads the tables of the role files (facts, never rules) and a scenario, and works out every assignment
of answers with its outcome by following one deed at a time, asking a question where one comes up. It
shares no rule and no algorithm with the encodings, so that agreement says something about both.
"""

from __future__ import annotations
