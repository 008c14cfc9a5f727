"""Results for people and machines."""
