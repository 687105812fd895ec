"""The stack of the user guide's WordPress example."""

import re

from support.seeds import chapter, code_blocks


def guide_template():
    """The template, without the comment of two lines that is not JSON."""
    (template, *_) = code_blocks(chapter("Provision the resource in a CloudFormation stack", "Resource type FAQ"))
    return re.sub(r"## Note.*?\n.*?\n", "\n", template)
