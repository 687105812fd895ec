"""The handlers of Acme::SQLite::Database."""
