"""The shelf: recent books, opening, the empty state."""
