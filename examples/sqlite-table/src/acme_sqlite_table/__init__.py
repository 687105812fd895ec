"""The handlers of Acme::SQLite::Table."""
