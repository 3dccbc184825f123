"""What was damaged, and how it ended: counts that children hand to their parent."""

import json
from collections import Counter
from dataclasses import dataclass, field

LAUNCH = "launch"
"""Stands for an odd launch of a text, damaged or not; every run has one."""


@dataclass
class Tally:
    """How often each ``kind`` of mutation was part of a run that came to each outcome."""

    texts: int = 0
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add_text(self) -> None:
        """Another text was made."""
        self.texts += 1

    def add(self, kinds: tuple[str, ...], outcome: str) -> None:
        """A launch ended; ``kinds`` are the mutations of its text, where this is its first."""
        self.counts.update((kind, outcome) for kind in (*kinds, LAUNCH))

    def merge(self, line: str) -> None:
        """Add what ``take`` gave."""
        entry = json.loads(line)
        self.texts += entry["texts"]
        for kind, outcome, count in entry["counts"]:
            self.counts[kind, outcome] += count

    def take(self) -> str:
        """A line of JSON with what was counted since the last time."""
        line = json.dumps({"texts": self.texts, "counts": [[*key, n] for key, n in self.counts.items()]})
        self.texts = 0
        self.counts.clear()
        return line

    @property
    def launches(self) -> int:
        """How many launches ended."""
        return sum(count for (kind, _), count in self.counts.items() if kind == LAUNCH)

    @property
    def mutations(self) -> int:
        """How many changes were made to texts that were then launched."""
        return sum(count for (kind, _), count in self.counts.items() if kind != LAUNCH)

    def lines(self) -> list[str]:
        """A line for each kind: its number, and its outcomes."""
        result = []
        for kind in sorted({kind for kind, _ in self.counts}):
            outcomes = {outcome: n for (name, outcome), n in sorted(self.counts.items()) if name == kind}
            shown = ", ".join(f"{n:,} {outcome}" for outcome, n in outcomes.items())
            result.append(f"{kind}: {sum(outcomes.values()):,} ({shown})")
        return result
