"""From a file to a book that can be asked."""
