"""After the warm-up nothing is compiled any more. In processes of their own: compiled kernels stay in a process."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from grammars.network.operations import trie_size

_COUNT = """
import sys
import time
from numba.core.dispatcher import Dispatcher

def compiled():
    modules = [module for name, module in sys.modules.items() if name.split(".")[0] == "grammars"]
    kernels = {id(k): k for module in modules for k in vars(module).values() if isinstance(k, Dispatcher)}
    return {f"{k.py_func.__module__}.{k.__name__}": k.signatures for k in kernels.values() if k.signatures}
"""

_USE = """
import numpy as np
from grammars import Choice, Compiler, JsonSchema, Regex, StructuralTag, Tag, Vocabulary, fill_masks

def use(compiler):
    schema = {"type": "object", "properties": {"a": {"type": "string", "maxLength": 40}, "b": {"enum": [1, "x"]}}}
    tag = StructuralTag((Tag("<t>", JsonSchema(schema), "</t>"),), ("<t>",))
    for constraint in (JsonSchema(schema), JsonSchema(True), Regex("[a-z]{3,9}-(ab|a)*"), Choice(["yes", "no"]), tag):
        compiled = compiler.compile(constraint)
        for matcher in (compiled.matcher(), compiler.load(compiled.to_bytes()).matcher()):
            rows = np.zeros((1, (len(compiler.vocabulary) + 31) // 32), dtype=np.uint32)
            while not matcher.is_complete or matcher.num_tokens == 0:
                matcher.forced_tokens()
                matcher.fill_mask(rows[0])
                fill_masks([matcher], rows, [matcher.tokens_to_complete + 1])
                allowed = np.flatnonzero(np.unpackbits(rows[0].view(np.uint8), bitorder="little"))
                assert matcher.accept(int(allowed[-1]))

tokens = [bytes([i]) for i in range(256)] + [None] + [b"%05d" % i for i in range(20_000)]
"""


def _run(code: str, tmp_path) -> str:
    environment = {**os.environ, "PORTCULLIS_CACHE": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")
def test_warm_up_leaves_nothing_to_compile(tmp_path):
    code = f"""{_COUNT}{_USE}
assert not compiled()
from grammars.warmup import warm_up
warm_up()
ready = {{name: list(signatures) for name, signatures in compiled().items()}}
assert len(ready) > 10
for _ in range(2):  # the second vocabulary comes from disk
    use(Compiler(Vocabulary.from_tokens(tokens, [256])))
now = compiled()
print([name for name in now if now[name] != ready.get(name)])
"""
    assert _run(code, tmp_path).strip() == "[]"
    assert list(tmp_path.glob("*.npz"))


_MISSED = """
from grammars.jit import machine_code
missed = []
machine_code.KernelCache.save_overload = lambda self, signature, compiled: missed.append(self._name)
from grammars.warmup import warm_up
warm_up()
print(missed)
"""


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")
def test_warm_up_command_compiles_all_that_is_used(tmp_path):
    done = subprocess.run([sys.executable, "-m", "grammars.warmup"], capture_output=True, text=True, timeout=900)
    assert (done.returncode, done.stdout) == (0, "")
    last = done.stderr.splitlines()[-1]
    assert (found := re.fullmatch(r"compiling the kernels: (\d+) of (\d+)", last)), done.stderr
    assert found[1] == found[2]
    assert int(found[1]) > 10
    assert _run(_MISSED, tmp_path).strip() == "[]"


_READY = """
from grammars.jit import machine_code
from grammars.jit.aot import make_ready
told = []
make_ready(["grammars.warmup:warm_up", "gateway.engine.cpu_kernels.signatures:signatures"], told.append)
print(told)
"""


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")
def test_nothing_is_compiled_where_all_is_there_else_by_other_processes(tmp_path):
    _run(_READY, tmp_path)
    assert _run(_READY, tmp_path).strip() == "[]"
    files = [file for folder in trie_size._cache._folders() for file in folder.glob("operations.trie_size.*")]
    assert files
    for file in files:
        file.unlink()
    code = f"{_MISSED.partition('from grammars.warmup')[0]}{_READY}print(missed)"
    told, missed = _run(code, tmp_path).splitlines()
    assert re.search(r"'compiling the kernels: (\d+) of \1'\]$", told)
    assert missed == "[]"
    # Others may have been kept of older sources.
    assert any(file.exists() for file in files)


def test_processes_that_compile_end_with_the_one_that_started_them():
    code = (
        "import os, time; from grammars.jit.aot import _pool\n"
        "if __name__ == '__main__':\n"
        "    pool = _pool(1)\n"
        "    print(pool.submit(os.getpid).result(), flush=True)\n"
        "    time.sleep(600)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as started:
        assert started.stdout is not None
        child = int(started.stdout.readline())
        started.kill()
    end = time.monotonic() + 30
    while _is_running(child):
        assert time.monotonic() < end
        time.sleep(0.02)


def _is_running(pid: int) -> bool:
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False
