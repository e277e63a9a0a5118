"""The question whether the Guard Dog is worth it."""

from herdlab.analysis.questions import Question
from herdlab.analysis.questions.guard_dog.pictures import drawings
from herdlab.analysis.questions.guard_dog.question import answer, check

__all__ = ["QUESTION", "answer", "check", "drawings"]

QUESTION = Question(
    name="guard-dog",
    words="Is the Guard Dog worth it?",
    keywords="guard dog wolf fox protect",
    plays="keeper keeper-dog dog-first herder optimal",
    games=("herd",),
)
