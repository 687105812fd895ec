"""What is installed to work on Formwork: pins, their hashes, their licences and what is known against them.

`constraints.txt` is written by people; `python -m supply lock` (`make lock`) makes `requirements.lock` of it, which
`make install` installs (docs/decisions/0007).
"""
