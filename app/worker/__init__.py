"""The second process: everything that parses an untrusted file happens there."""
