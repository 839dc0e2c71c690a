"""The packages come from one place and are ours."""

from importlib.metadata import packages_distributions

import pytest

from gateway import package_check
from gateway.cli import main
from gateway.errors import InstallationError


def test_the_packages_come_from_one_place():
    package_check.check_packages()
    assert len({package_check.folder_of(name) for name in package_check.PACKAGES}) == 1


@pytest.mark.parametrize("name", package_check.PACKAGES)
def test_no_other_distribution_owns_our_names(name):
    assert set(packages_distributions().get(name, [])) <= {"portcullis"}


def test_the_command_refuses_packages_from_elsewhere(monkeypatch, tmp_path, capsys):
    found = {"tools": tmp_path / "other"}
    real = package_check.folder_of
    monkeypatch.setattr(package_check, "folder_of", lambda name: found.get(name) or real(name))
    with pytest.raises(InstallationError, match="'tools' is imported from"):
        package_check.check_packages()
    assert main(["check-schema", "/x"]) == 1
    assert "another package of that name" in capsys.readouterr().err


def test_an_absent_package_is_named(monkeypatch):
    monkeypatch.setattr(package_check, "folder_of", lambda name: None)
    with pytest.raises(InstallationError, match="'gateway' is missing"):
        package_check.check_packages()
