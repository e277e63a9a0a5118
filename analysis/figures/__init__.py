"""Figures: each kind in a file of its own, all in one style, each drawn for the width it is given.

Nothing here plays games or opens windows: figures and intervals go in, a picture comes out.
"""
