"""The handlers of Acme::SQLite::KeyedTables."""
