"""Portcullis' gateway: requests in, verified answers out. The only package that knows the others."""
