"""A file becomes canonical text and structure; runs in the worker process only."""
