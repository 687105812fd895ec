"""From the text of a template to what can be provisioned: macros, parameters, capabilities, checks."""
