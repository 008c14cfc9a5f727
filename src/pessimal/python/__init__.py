"""The Python front-end: unmodified functions run on symbolic values, or on real values that count."""
