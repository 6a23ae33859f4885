"""An attendee's own schedule: stars, secret links, feed. No account, no name, no address."""
