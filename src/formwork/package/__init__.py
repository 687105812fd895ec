"""Projects to the packages that registration takes: deterministic, built for Lambda without Docker, small."""
