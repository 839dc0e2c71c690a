"""After the warm-up nothing is compiled any more. In processes of their own: compiled kernels stay in a process."""

import os
import subprocess
import sys

import pytest

_COUNT = """
import sys
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


def test_warm_up_command_runs():
    done = subprocess.run([sys.executable, "-m", "grammars.warmup"], capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
