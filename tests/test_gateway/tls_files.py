"""A certificate of this machine, signed by itself."""

import subprocess
from shutil import which

import pytest

needs_openssl = pytest.mark.skipif(which("openssl") is None, reason="needs the openssl command")


def self_signed(folder):
    """Return the paths of a certificate for 127.0.0.1 and of its key, made in the folder."""
    cert, key = str(folder / "cert.pem"), str(folder / "key.pem")
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"]
    new_key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    command = [which("openssl"), "req", "-x509", *new_key, "-keyout", key, "-out", cert, "-days", "2", *subject]
    subprocess.run(command, check=True, capture_output=True)
    return cert, key
