"""Exact solutions of Have You Herd?, and advice for one position."""
