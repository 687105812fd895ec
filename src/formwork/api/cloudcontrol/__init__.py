"""The Cloud Control API's operations between botocore's shapes and the engine's own values."""
