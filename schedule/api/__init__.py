"""The API of sessions: reading with the page's filter, writing, materials, imports, changes, the whole programme."""
