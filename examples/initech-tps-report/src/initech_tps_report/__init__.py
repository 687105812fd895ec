"""The handlers of Initech::TPS::Report."""
