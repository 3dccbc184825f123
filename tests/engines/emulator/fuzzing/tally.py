"""Counts of mutations and outcomes that children report to their parent."""

import json
from collections import Counter
from dataclasses import dataclass, field

LAUNCH = "launch"
"""The kind of every odd launch of a text, mutated or not."""


@dataclass
class Tally:
    """Number of runs by kind of mutation and outcome."""

    texts: int = 0
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add_text(self) -> None:
        """Count a text."""
        self.texts += 1

    def add(self, kinds: tuple[str, ...], outcome: str) -> None:
        """Count a launch; ``kinds`` are the mutations of its text if this is the text's first launch."""
        self.counts.update((kind, outcome) for kind in (*kinds, LAUNCH))

    def merge(self, line: str) -> None:
        """Add the counts of a line from ``take``."""
        entry = json.loads(line)
        self.texts += entry["texts"]
        for kind, outcome, count in entry["counts"]:
            self.counts[kind, outcome] += count

    def take(self) -> str:
        """A line of JSON with the counts since the last call."""
        line = json.dumps({"texts": self.texts, "counts": [[*key, n] for key, n in self.counts.items()]})
        self.texts = 0
        self.counts.clear()
        return line

    @property
    def launches(self) -> int:
        """Number of launches that ended."""
        return sum(count for (kind, _), count in self.counts.items() if kind == LAUNCH)

    @property
    def mutations(self) -> int:
        """Number of mutations in texts that were launched."""
        return sum(count for (kind, _), count in self.counts.items() if kind != LAUNCH)

    def lines(self) -> list[str]:
        """One line for each kind: its count and its outcomes."""
        result = []
        for kind in sorted({kind for kind, _ in self.counts}):
            outcomes = {outcome: n for (name, outcome), n in sorted(self.counts.items()) if name == kind}
            shown = ", ".join(f"{n:,} {outcome}" for outcome, n in outcomes.items())
            result.append(f"{kind}: {sum(outcomes.values()):,} ({shown})")
        return result
