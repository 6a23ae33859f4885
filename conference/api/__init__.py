"""The API of what is an event's: reading for everybody, writing for organisers by token."""
