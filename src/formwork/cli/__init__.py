"""The `cfn` command: reads arguments, calls the libraries, shows what they return; no decisions of its own."""
