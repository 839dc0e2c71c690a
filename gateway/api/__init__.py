"""Part of Portcullis."""
