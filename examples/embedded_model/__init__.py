"""Recipe of the model that ships with the gateway: its corpus, its samples, its training and its evaluation."""
