"""Parts of addresses that several apps use."""


class RowIdConverter:
    """A row's id: a positive number that fits the database's 64 bits."""

    regex = "[1-9][0-9]{0,17}"

    def to_python(self, value: str) -> int:
        return int(value)

    def to_url(self, value: int) -> str:
        return str(value)
