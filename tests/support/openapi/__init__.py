"""What tests of OpenAPI stubs share."""
