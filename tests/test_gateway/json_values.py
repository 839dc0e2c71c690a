"""Random JSON values, and the paths in them."""

from hypothesis import strategies as st

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()


VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
)


def walk(value, path=""):
    """Every value with its pointer, inner ones first."""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, inner in members:
        yield from walk(inner, f"{path}/{str(name).replace('~', '~0').replace('/', '~1')}")
    yield path, value
