"""All of the window: the only package, with startup, that knows Qt."""
