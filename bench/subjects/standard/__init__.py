"""Small functions around the standard library: methods, constructors and generators as functions of plain inputs.

Each module imports little, because what it imports is rewritten before the first run.
"""
