"""What must not stand in a log."""

import logging

from conference.secrecy import SECRET_ADDRESS


class HideSecrets(logging.Filter):
    """Take the secrets of personal schedules out of every record: who reads a log must not be able to open one."""

    def filter(self, record: logging.LogRecord) -> bool:
        said = record.getMessage()
        if SECRET_ADDRESS.search(said):
            record.msg, record.args = SECRET_ADDRESS.sub(r"\1…", said), ()
        return True
