"""How the package is built; nothing here is imported by what is installed."""
