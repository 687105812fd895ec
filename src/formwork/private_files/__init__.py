"""Files and folders that only this user can read.

modes      0600 and 0700, whatever the umask
locks      locks that end with their process
temporary  temporary folders that are removed, also those of processes that were killed
"""
