"""The question whether the Guard Dog is worth it."""

from herdlab.analysis.questions.guard_dog.question import answer, check, drawings

__all__ = ["answer", "check", "drawings"]
