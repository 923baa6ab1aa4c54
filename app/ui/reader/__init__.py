"""The reading views and what belongs to them: contents, places, highlights."""
