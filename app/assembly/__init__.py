"""Builds every part of Ibid and wires them, without Qt: window and command line both start here.

The parts do not know each other; they meet here. No work is done here that belongs to a part.
"""

from app.assembly.assembly import Assembly
from app.assembly.open_book import OpenBook

__all__ = ["Assembly", "OpenBook"]
