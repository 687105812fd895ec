"""Public extension projects, unedited, through every command: `python -m bench.real_projects FOLDER`.

FOLDER holds checkouts, one folder `owner+name` a repository; `projects.txt` says which projects of which commits. They
are other people's and never committed. Each step runs in a copy of the checkout, with a time limit, one at a time. What
it said is kept in a folder of results, so that a run can be ended and taken up again. `verdicts.yaml` says of every
failure whose it is; `--page` writes docs/reference/real-projects.md.

As tests the projects would be part of the tree, and fail for reasons that are not Formwork's.
"""
