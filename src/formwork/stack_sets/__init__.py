"""Stack sets: one template as stacks in many accounts and Regions.

Source: CloudFormation user guide, "Managing stacks across accounts and Regions with StackSets"; the service's model.
"""
