"""One file a command; each has `HELP`, `add_arguments(parser)` and `run(arguments, output) -> exit code`."""
