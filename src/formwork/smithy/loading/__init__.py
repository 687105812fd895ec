"""From definitions to a model: names resolved, files merged, 1.0 upgraded, mixins applied."""
