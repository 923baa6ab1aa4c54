"""All SQL of Ibid: one SQLite file, through apsw."""
