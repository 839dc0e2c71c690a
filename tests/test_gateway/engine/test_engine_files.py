"""Files of a model, of which none is code that runs, a pickle that is read, or a name that the hub is asked for."""

import json
import pickle
import shutil
from pathlib import Path

import pytest
import transformers.modeling_utils
from classifier_model import write_classifier
from transformers.integrations import hub_kernels

from gateway.engine.errors import UnsupportedModelError
from gateway.engine.models.files import read_model
from gateway.errors import ModelLoadError
from gateway.guards.models.classifier import Classifier
from gateway.service.model.folder import check_weights, locate

CODE = {"AutoConfig": "theirs.Config", "AutoModelForCausalLM": "theirs.Model"}


class Marks:
    """A pickle that writes a file where it is read."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return Path.touch, (self.path,)


@pytest.fixture
def folder(tiny_model, tmp_path):
    return Path(shutil.copytree(tiny_model, tmp_path / "model"))


@pytest.fixture(autouse=True)
def offline(monkeypatch):
    """Nobody is asked, neither the hub nor who sits before the terminal."""

    def refuse(*args, **kwargs):
        raise AssertionError(f"asked: {args}")

    monkeypatch.setattr("builtins.input", refuse)
    monkeypatch.setattr(hub_kernels, "get_kernel", refuse)
    monkeypatch.setattr(transformers.modeling_utils, "lazy_import_flash_attention", refuse)
    monkeypatch.setattr("huggingface_hub.file_download.get_hf_file_metadata", refuse)


def set_config(folder, **fields):
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | fields))


@pytest.mark.parametrize("decoder", ["auto", "transformers"])
@pytest.mark.parametrize("model_type", ["llama", "theirs"])
def test_code_that_comes_with_a_model_is_not_run(folder, tmp_path, decoder, model_type):
    marker = tmp_path / "ran"
    (folder / "theirs.py").write_text(
        f"open({str(marker)!r}, 'w').close()\n"
        "from transformers import LlamaConfig as Config, LlamaForCausalLM as Model\n"
    )
    set_config(folder, auto_map=CODE, model_type=model_type)
    if model_type == "llama":
        assert type(read_model(folder, "auto", decoder)).__module__.startswith("transformers.")
    else:
        with pytest.raises(UnsupportedModelError, match="code that comes with a model is not run"):
            read_model(folder, "auto", decoder)
    assert not marker.exists()


@pytest.mark.parametrize("decoder", ["auto", "transformers"])
@pytest.mark.parametrize("of", ["attn", "experts"])
@pytest.mark.parametrize("name", ["_{}_implementation_internal", "_{}_implementation", "{}_implementation"])
def test_the_folder_does_not_choose_by_which_code_it_is_computed(folder, decoder, of, name):
    set_config(folder, **{name.format(of): "theirs/kernel"})
    config = read_model(folder, "auto", decoder).config
    assert (config._attn_implementation, config._experts_implementation) == ("sdpa", "eager")


@pytest.mark.parametrize("name", ["pytorch_model.bin", "model.pt", "consolidated.00.pth"])
def test_pickles_are_not_read(folder, tmp_path, name):
    marker = tmp_path / "ran"
    (folder / "model.safetensors").unlink()
    (folder / name).write_bytes(pickle.dumps({"lm_head.weight": Marks(marker)}))
    with pytest.raises(ModelLoadError, match=rf"has no \*\.safetensors \({name}: pickles"):
        check_weights(folder)
    with pytest.raises(OSError, match="safetensors"):
        read_model(folder, "auto", "transformers")
    assert not marker.exists()


def test_a_folder_that_is_gone_is_no_name_on_the_hub(folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "link").symlink_to("model")
    assert {locate(name) for name in ("model", "./model", "link", str(folder))} == {folder}
    found = locate("model")
    folder.rename(tmp_path / "away")
    with pytest.raises(UnsupportedModelError, match="not there any more"):
        read_model(found, "auto", "auto")
    (tmp_path / "away").rename(folder)
    assert read_model(found, "auto", "auto") is not None


@pytest.mark.parametrize("model_type", ["bert", "theirs"])
def test_a_classifier_runs_no_code_of_its_folder_either(tmp_path, model_type):
    folder = write_classifier(tmp_path / "classifier")
    (folder / "theirs.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w').close()\n")
    set_config(folder, auto_map=CODE, model_type=model_type, _attn_implementation="theirs/kernel")
    if model_type == "bert":
        assert Classifier(str(folder)).labels == ["BENIGN", "INJECTION"]
    else:
        with pytest.raises(ValueError, match="code that comes with a model is not run"):
            Classifier(str(folder))
    assert not (tmp_path / "ran").exists()
