"""Training of the embedded model: lean Llama, Muon, batches by step, validation, export."""
