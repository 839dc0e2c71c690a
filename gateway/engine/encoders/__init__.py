"""Models that read texts and write none: encoders with pooling, and classifiers that score pairs of texts."""
