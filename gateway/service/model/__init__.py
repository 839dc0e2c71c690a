"""The served model: its files, its engine, its formats and its sampling defaults."""
