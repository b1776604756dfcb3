"""Measurements, as ratios within one run: absolute times belong to the machine."""
