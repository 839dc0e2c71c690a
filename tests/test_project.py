"""What holds of the project as a whole: its layout, its packages, its promises in README."""

import ast
import importlib
import os
import platform
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from graphlib import TopologicalSorter
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from gateway.service.model.installed import SMOLLM2_INSTALLED_BY

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("gateway", "grammars", "tools")
TOP_LEVEL = {"pyproject.toml", "README.md", "Dockerfile", "gateway", "grammars", "tools", "tests", "examples"}
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCS = ROOT / "gateway" / "docs"
SOURCES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
MODULES = [".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in SOURCES]

MOST_LINES = 400

FORBIDDEN_CALLS = {"eval", "exec", "compile", "__import__", "yaml.load", "os.system"}
FALSE_OR_ABSENT = {"shell", "allow_pickle", "trust_remote_code"}
FORBIDDEN_MODULES = {"pickle", "marshal", "shelve", "dill", "cloudpickle"}
UNPICKLE = {
    "grammars/jit/machine_code.py": "what Numba compiled, from files that only those may write who may write sources"
}


def _tracked() -> list[str]:
    """Files of the next commit; a source tree without git has none."""
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        pytest.skip("not a git checkout")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    return [name for name in listed.stdout.decode().split("\0") if name and (ROOT / name).exists()]


def _trees() -> list[tuple[str, ast.Module]]:
    return [(str(path.relative_to(ROOT)), ast.parse(path.read_text(encoding="utf-8"))) for path in SOURCES]


def _imported(tree: ast.Module) -> set[str]:
    """Modules of the project that the source imports, for type checkers as well."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            of_module = {f"{node.module}.{alias.name}" for alias in node.names}
            names |= of_module if of_module <= set(MODULES) else {node.module, *of_module}
    return names & set(MODULES)


def test_no_module_imports_itself_by_way_of_others():
    trees = zip(MODULES, _trees(), strict=True)
    graph = {module: _imported(tree) - {module} for module, (_, tree) in trees}
    TopologicalSorter(graph).prepare()  # raises with the circle


def test_top_level_holds_nothing_else():
    tops = {name.split("/")[0] for name in _tracked()}
    assert {name for name in tops if not name.startswith(".")} == TOP_LEVEL


def test_packages_come_from_one_place():
    places = {Path(importlib.import_module(name).__file__ or "").resolve().parents[1] for name in PACKAGES}
    assert places == {ROOT}


def test_packages_belong_to_no_other_distribution():
    owners = metadata.packages_distributions()
    assert [owner for name in PACKAGES for owner in owners.get(name, []) if owner != "portcullis"] == []


def test_every_folder_with_sources_is_a_package():
    folders = {path.parent for path in SOURCES}
    assert [folder for folder in sorted(folders) if not (folder / "__init__.py").is_file()] == []


def test_wheel_holds_every_file_of_the_packages(tmp_path):
    source = tmp_path / "source"
    # A folder that is not named must not be installed.
    source.joinpath("examples").mkdir(parents=True)
    source.joinpath("examples", "__init__.py").touch()
    for name in PACKAGES:
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, source)
    code = "from setuptools import build_meta; import sys; build_meta.build_wheel(sys.argv[1])"
    built = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], cwd=source, capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stderr
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == set(PACKAGES)
    assert any(name.endswith(".dist-info/licenses/gateway/docs/LICENSE") for name in names)
    wanted = {str(path.relative_to(ROOT)) for path in SOURCES} | {f"{name}/py.typed" for name in PACKAGES}
    wanted |= {str(path.relative_to(ROOT)) for path in (ROOT / "gateway/embedded/weights").rglob("*.*")}
    wanted |= {str(path.relative_to(ROOT)) for path in (ROOT / "grammars/library").glob("*.[glr]*")}
    pages = (path for path in DOCS.rglob("*") if path.is_file())
    wanted |= {str(path.relative_to(ROOT)) for path in (*pages, *(ROOT / "gateway/playground").iterdir())}
    wanted |= {
        name for name in _tracked() if name.startswith(tuple(f"{each}/" for each in PACKAGES)) and name.endswith(".md")
    }
    assert wanted - names == set()


def test_private_modules_of_numba_are_imported_in_one_folder():
    private = re.compile(r"^(?:from|import) numba\.(?:core|np)\b", re.MULTILINE)
    users = {path.relative_to(ROOT).parent for path in SOURCES if private.search(path.read_text(encoding="utf-8"))}
    assert {user for user in users if user.parts[0] == "grammars"} == {Path("grammars/jit")}


def test_wheel_carries_machine_code_and_says_for_whom(tmp_path):
    backend = ROOT / "gateway" / "building"
    assert PYPROJECT["build-system"]["backend-path"] == ["gateway/building"]
    # Whatever lies there could be imported instead of a module that the build needs.
    assert {path.name for path in backend.glob("*.py")} == {"__init__.py", "portcullis_wheel.py"}
    pinned = {name for name in PYPROJECT["build-system"]["requires"] if "==" in name}
    assert pinned
    assert pinned <= set(PROJECT["dependencies"])
    pure = tmp_path / "portcullis-0.1.0-py3-none-any.whl"
    with zipfile.ZipFile(pure, "w") as wheel:
        wheel.writestr("gateway/__init__.py", "")
        wheel.writestr(
            "portcullis-0.1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        wheel.writestr("portcullis-0.1.0.dist-info/RECORD", "gateway/__init__.py,sha256=47DEQpj8HBSa,0\n")
    code = (
        "import sys; from pathlib import Path; from portcullis_wheel import with_machine_code;"
        "print(with_machine_code(Path(sys.argv[1]), {'grammars/__pycache__/a.nbc': b'code'}))"
    )
    command = [sys.executable, "-P", "-c", code, str(pure)]
    built = subprocess.run(command, env=os.environ | {"PYTHONPATH": str(backend)}, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    name = built.stdout.strip()
    assert re.fullmatch(r"portcullis-0\.1\.0-(cp3\d+)-\1-linux_\w+\.whl", name)
    with zipfile.ZipFile(tmp_path / name) as wheel:
        assert wheel.read("grammars/__pycache__/a.nbc") == b"code"
        said = wheel.read("portcullis-0.1.0.dist-info/WHEEL").decode()
        assert f"Tag: {name.removeprefix('portcullis-0.1.0-').removesuffix('.whl')}\n" in said
        assert "Root-Is-Purelib: false" in said
        record = wheel.read("portcullis-0.1.0.dist-info/RECORD").decode().splitlines()
    assert {line.split(",")[0] for line in record} == set(wheel.namelist())


def test_kernels_are_compiled_with_what_the_build_environment_has(tmp_path):
    environment, pure = tmp_path / "environment", tmp_path / "pure.whl"
    environment.mkdir()
    (environment / "required_to_build.py").write_text("")
    with zipfile.ZipFile(pure, "w") as wheel:
        wheel.writestr("grammars/__init__.py", "")
        baseline = {platform.machine(): ("a-processor", "+its-features")}
        wheel.writestr("grammars/jit/machine_code.py", f"BASELINES = {baseline}")
        wheel.writestr(
            "grammars/warmup.py",
            "import os, pathlib, required_to_build\n"
            "told = os.environ['NUMBA_CPU_NAME'] + os.environ['NUMBA_CPU_FEATURES']\n"
            "pathlib.Path(__file__).with_name('a.nbc').write_text(told)\n",
        )
    (tmp_path / "unpacked").mkdir()
    code = (
        "import sys; from pathlib import Path; from portcullis_wheel import compiled;"
        "print(compiled(Path(sys.argv[1]), Path(sys.argv[2])))"
    )
    paths = os.pathsep.join(map(str, (ROOT / "gateway" / "building", environment)))
    command = [sys.executable, "-P", "-c", code, str(pure), str(tmp_path / "unpacked")]
    built = subprocess.run(command, env=os.environ | {"PYTHONPATH": paths}, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    assert built.stdout.strip() == str({"grammars/a.nbc": b"a-processor+its-features"})


@pytest.mark.parametrize("package", PACKAGES)
def test_wheels_hold_the_data_that_stands_beside_the_code(package):
    patterns = PYPROJECT["tool"]["setuptools"]["package-data"][package]
    data = [Path(name).relative_to(package) for name in _tracked() if name.startswith(f"{package}/")]
    kinds = {".css", ".gbnf", ".html", ".js", ".json", ".lark", ".regex", ".svg", ".toml", ".txt"}
    data = [path for path in data if path.suffix in kinds]
    assert [path for path in data if not any(map(path.match, patterns))] == []


def test_version_is_said_once_and_everywhere_the_same():
    version = PROJECT["version"]
    assert metadata.version("portcullis") == version
    assert f"## {version}" in (DOCS / "changelog.md").read_text(encoding="utf-8")
    said = subprocess.run([sys.executable, "-m", "gateway", "--version"], capture_output=True, text=True, check=True)
    assert said.stdout == f"portcullis {version}\n"


@pytest.mark.parametrize("extra", [None, *PROJECT["optional-dependencies"]])
def test_dependencies_are_sorted_and_each_has_its_reason(extra):
    names = PROJECT["dependencies"] if extra is None else PROJECT["optional-dependencies"][extra]
    assert names == sorted(names, key=lambda name: re.split("[<>=]", name)[0])
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert [name for name in names if not re.search(rf'^    "{re.escape(name)}", +# \w', text, re.MULTILINE)] == []


def test_dependencies_are_what_the_packages_import():
    by_name = {"httptools", "uvloop", "websockets"}  # the server that is told to use them imports them
    # What builds the wheel; a torch for CUDA, without which nobody imports it; pictures of `bench`, where one has it.
    by_others = {"setuptools", "triton", "matplotlib"}
    imported = {name.split(".")[0] for _, tree in _trees() for name in _imports(tree)}
    theirs = {
        {"markdown_it": "markdown-it-py", "PIL": "pillow"}.get(name, name).replace("_", "-")
        for name in imported - sys.stdlib_module_names - set(PACKAGES)
    }
    extras = PROJECT["optional-dependencies"]
    assert {name.split("-")[0] for name in extras["otel"]} == {"opentelemetry"}  # one package, of several distributions
    listed = {re.split("[<>=]", name)[0] for name in (*PROJECT["dependencies"], *extras["gguf"])}
    assert (theirs - by_others) | by_name == listed | {"opentelemetry"}


def test_extra_train_is_imported_by_the_recipe_of_the_embedded_model():
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in (ROOT / "examples/embedded_model").rglob("*.py")]
    imported = {name.split(".")[0] for tree in trees for name in _imports(tree)}
    theirs = imported - sys.stdlib_module_names - {*PACKAGES, "embedded_model"}
    dependencies = {re.split("[<>=]", name)[0] for name in PROJECT["dependencies"]}
    extra = {re.split("[<>=]", name)[0] for name in PROJECT["optional-dependencies"]["train"]}
    assert theirs - dependencies == extra


def test_the_build_environment_has_what_kernels_are_imported_with():
    imported = {
        name.split(".")[0] for path, tree in _trees() if path.startswith("grammars/") for name in _imports(tree)
    }
    theirs = imported - sys.stdlib_module_names - set(PACKAGES)
    # What is needed for a kind of tokenizer alone is imported where it is met.
    built_with = {re.split("[<>=]", name)[0] for name in PYPROJECT["build-system"]["requires"]}
    assert theirs - built_with <= {"llvmlite", "tokenizers", "transformers"}


def _imports(tree: ast.Module) -> list[str]:
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.append(node.module)
    return found


def test_public_names_are_sorted_and_exist():
    listing = [name for name, (_, tree) in zip(MODULES, _trees(), strict=True) if _assigns_all(tree)]
    assert "grammars" in listing
    for name in listing:
        module = importlib.import_module(name)
        # As the linter sorts them: constants come first.
        assert list(module.__all__) == sorted(set(module.__all__), key=lambda each: (not each.isupper(), each)), name
        assert [public for public in module.__all__ if not hasattr(module, public)] == [], name


def _assigns_all(tree: ast.Module) -> bool:
    return any(isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__" for node in tree.body)


def test_files_are_short():
    sources = (*SOURCES, *(ROOT / "gateway/playground").iterdir())
    lines = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8").count("\n") for path in sources}
    assert [name for name, count in lines.items() if count > MOST_LINES] == []


def test_packages_call_nothing_that_runs_text_or_unpickles():
    found = []
    for name, tree in _trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in FORBIDDEN_CALLS:
                found.append(f"{name}:{node.lineno} {ast.unparse(node.func)}")
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "torch.load" and not _has_weights_only(node):
                found.append(f"{name}:{node.lineno} unpickles")
            if isinstance(node, ast.keyword) and node.arg in FALSE_OR_ABSENT and ast.unparse(node.value) != "False":
                found.append(f"{name}:{node.value.lineno} {node.arg}")
        if name not in UNPICKLE:
            found += [f"{name} imports {each}" for each in _imports(tree) if each.split(".")[0] in FORBIDDEN_MODULES]
    assert found == []


def _has_weights_only(call: ast.Call) -> bool:
    return any(keyword.arg == "weights_only" and ast.unparse(keyword.value) == "True" for keyword in call.keywords)


def test_readme_commands_are_the_ones_that_ci_runs():
    run = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    pattern = re.search(r"grep -m 1 -E '(.+)' README\.md", run)
    assert pattern is not None
    found = [line for line in README.splitlines() if re.fullmatch(pattern[1], line)]
    assert len(found) == 1
    assert '-e ".[test]" && ' in found[0]
    (pattern,) = re.findall(r"grep -E '(.+)' README\.md", run)
    assert [line.split(" && ")[0] for line in README.splitlines() if re.fullmatch(pattern, line)] == [
        f".venv/bin/{SMOLLM2_INSTALLED_BY}"
    ]


def test_git_holds_no_large_file_but_the_weights():
    large = {name for name in _tracked() if (ROOT / name).stat().st_size > 10_000_000}
    weights = "gateway/embedded/weights/"
    assert {name for name in large if not name.startswith(weights)} == set()
    held = sum((ROOT / name).stat().st_size for name in _tracked() if name.startswith(weights))
    assert held < 32_000_000


def test_docker_image_starts_the_installed_command():
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    scripts: dict[str, Any] = PROJECT["scripts"]
    assert 'ENTRYPOINT ["portcullis"]' in text
    assert list(scripts) == ["portcullis"]
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", text, re.MULTILINE)
    assert {name for line in copied for name in line.split()} == {"pyproject.toml", "README.md", ".ci/lock", *PACKAGES}
    assert re.search(r"^USER (?!root)\w+$", text, re.MULTILINE)
    # Alive is not enough: who cannot be answered is sent elsewhere.
    assert re.search(r"HEALTHCHECK .*\n    CMD .*/ready", text)
    # Kernels that are compiled at a start are machine code: nobody else writes there.
    assert re.search(r"install --directory --mode=0700 --owner=portcullis .*/var/cache/portcullis$", text, re.MULTILINE)
