"""The parts of `cfn dev`: a working session over one project."""
