"""Claims that take many seeds to judge, and their outcomes: `make study` runs them and writes docs/studies.md.

Each module here has `findings(seeds)`, of a range of them, which yields a `finding.Finding` a claim: of so many trials
so many came out as claimed. `--first-seed` begins elsewhere than at 0, with seeds that nothing was tuned to. A test run
keeps of each study one cheap case, which would notice if the behavior were gone.
"""
