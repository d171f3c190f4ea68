"""Many scenarios, decided as a stream: read lazily, worked on in chunks, written in their own order.

Data flows one way: :mod:`.inputs` (files, folders, patterns, JSON Lines) -> chunks of inputs -> an engine
(:mod:`.engine`: this process, or several) that runs :func:`.work.decide_chunk` -> :mod:`.output` (lines,
counts). No step holds more than a bounded number of chunks.
"""

from .engine import Engine, LocalEngine
from .inputs import Input, Inputs, chunked
from .work import Answer, Plan, decide_chunk, lost

__all__ = ["Answer", "Engine", "Input", "Inputs", "LocalEngine", "Plan", "chunked", "decide_chunk", "lost"]
