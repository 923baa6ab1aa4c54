"""Ibid: a desktop reader for EPUB and PDF that proves what it says about a book.

This module holds the program's identity, once. It does nothing else.
"""

APP_ID = "org.ibid.Ibid"
APP_NAME = "Ibid"
__version__ = "0.1.0"
