"""Claims that take many seeds to judge, and what became of them: `make study` runs them and writes docs/studies.md.

Each module here has `findings(seeds)`, which yields a `finding.Finding` a claim: of so many trials so many came out as
claimed. A test run keeps of each study one cheap case, which would notice if the behavior were gone.
"""
