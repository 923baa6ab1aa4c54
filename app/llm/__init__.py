"""Talks to a language model; knows no books."""
