"""Certificate and key of the server."""

import ssl
import subprocess
from shutil import which

import pytest
from tls_files import needs_openssl, self_signed

from gateway.config import ServerConfig, load_config
from gateway.config.tls import tls_context
from gateway.errors import ConfigError


def test_without_files_there_is_no_tls():
    assert tls_context(ServerConfig()) is None


@needs_openssl
def test_the_context_refuses_versions_before_1_2(tmp_path):
    cert, key = self_signed(tmp_path)
    context = tls_context(load_config(environment={}, flags={"server.tls_cert": cert, "server.tls_key": key}).server)
    assert context.minimum_version == ssl.TLSVersion.TLSv1_2


@pytest.mark.parametrize("name", ["tls_cert", "tls_key"])
def test_one_file_without_the_other_is_refused(name, tmp_path):
    with pytest.raises(ConfigError, match=rf"server\.{name} is set without"):
        load_config(environment={}, flags={f"server.{name}": str(tmp_path)})


@needs_openssl
@pytest.mark.parametrize("name", ["tls_cert", "tls_key"])
def test_a_file_that_cannot_be_read_is_refused_by_its_setting(name, tmp_path):
    cert, key = self_signed(tmp_path)
    flags = {"server.tls_cert": cert, "server.tls_key": key} | {f"server.{name}": str(tmp_path / "absent.pem")}
    with pytest.raises(ConfigError, match=rf"cannot read server\.{name}: .*absent\.pem"):
        load_config(environment={}, flags=flags)


@needs_openssl
def test_files_that_do_not_fit_are_refused(tmp_path):
    cert, key = self_signed(tmp_path)
    (tmp_path / "other").mkdir()
    locked = tmp_path / "locked.pem"
    command = [which("openssl"), "pkey", "-in", key, "-aes256", "-passout", "pass:word", "-out", str(locked)]
    subprocess.run(command, check=True, capture_output=True)
    for other in (cert, self_signed(tmp_path / "other")[1], str(locked)):
        with pytest.raises(ConfigError, match=r"server\.tls_cert and server\.tls_key must be"):
            load_config(environment={}, flags={"server.tls_cert": cert, "server.tls_key": other})
