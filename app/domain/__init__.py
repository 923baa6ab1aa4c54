"""Plain values that every part of Ibid speaks in: no Qt, no SQL, no network."""
