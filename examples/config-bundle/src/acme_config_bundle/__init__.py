"""The handlers of Acme::Config::Bundle."""
