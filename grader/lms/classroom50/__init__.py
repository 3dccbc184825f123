"""classroom50: the result of one submission, and the scores of a classroom. Source: its collector of scores."""

from grader.lms.classroom50.result import ResultContext, result
from grader.lms.classroom50.scores import scores_with

__all__ = ["ResultContext", "result", "scores_with"]
