"""A line for each job that left the queue."""

from rich.text import Text

from grader.cli.console import Terminal, out
from grader.execution.dispatcher import Finished
from grader.model.reason import reason
from grader.report.text import safe_text


def show_finished(shown: Terminal, finished: Finished) -> None:
    """Print the job with its verdict, or that it has no result."""
    job, score = finished.job, finished.score
    student, lab = job.key.student, job.key.lab
    line = (
        reason("job-discarded", job=job.id, student=student, lab=lab)
        if score is None
        else reason("job-recorded", job=job.id, student=student, lab=lab, verdict=score.verdict)
    )
    out.print(Text(safe_text(shown.speech(line))), soft_wrap=True)
