"""Hunt for mutants that crash, hang or reach outside: ``python -m tests.engines.emulator.fuzzing --seconds 60``.

Exits with 1 where something failed.
"""

import argparse
import random
import sys
from pathlib import Path

from tests.engines.emulator.fuzzing.corpus import corpus, words_of
from tests.engines.emulator.fuzzing.hunt import hunt, mutant


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def main() -> int:
    """Hunt as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--everything", action="store_true", help="mutate all hand-ins, too (a minute to build)"
    )
    parser.add_argument("--keep", type=Path, help="a folder for the PTX of mutants that fail")
    arguments = parser.parse_args()
    specimens = corpus(everything=arguments.everything)
    catch = hunt(specimens, arguments.seconds, arguments.seed)
    rate = catch.mutants / catch.seconds
    _say(f"{catch.mutants:,} mutants of {len(specimens)} kernels in {catch.seconds:.0f} s ({rate:.0f}/s)")
    _say(", ".join(f"{count} {verdict}" for verdict, count in sorted(catch.verdicts.items())))
    pool = words_of(specimens, random.Random(arguments.seed))
    for failure in catch.failures:
        _say(f"\nseed {arguments.seed}, mutant {failure.index} of {failure.specimen}: {failure.what}")
        if arguments.keep:
            arguments.keep.mkdir(parents=True, exist_ok=True)
            _, ptx, _ = mutant(specimens, pool, arguments.seed, failure.index)
            (arguments.keep / f"{arguments.seed}-{failure.index}.ptx").write_text(ptx, encoding="utf-8")
    _say(f"{len(catch.failures)} failures")
    return 1 if catch.failures else 0


if __name__ == "__main__":
    sys.exit(main())
