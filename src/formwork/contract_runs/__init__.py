"""One run of `cfn test`: its options and settings, pytest's part of it, reports, and what the next run remembers."""
