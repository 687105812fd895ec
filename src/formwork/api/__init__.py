"""The real CloudFormation and Cloud Control APIs over HTTP: decode, call the registry or the engine, encode."""
