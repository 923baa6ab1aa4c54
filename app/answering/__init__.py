"""Grounded answers: search, ledger, gate, loop and checks."""
