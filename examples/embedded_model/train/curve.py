"""The loss curve as a picture."""

from __future__ import annotations

import json
from pathlib import Path


def draw_curve(log: Path, picture: Path) -> None:
    """Draws training loss, validation loss and exact answers over the tokens seen. Needs matplotlib."""
    from matplotlib.figure import Figure

    records = [json.loads(line) for line in log.read_text().splitlines()]
    steps = [record for record in records if "loss" in record]
    checks = [record for record in records if "validation" in record]
    figure = Figure(figsize=(8, 5))
    axes = figure.add_subplot()
    axes.plot([r["tokens"] / 1e6 for r in steps], [r["loss"] for r in steps], linewidth=0.6, label="training loss")
    tokens = [r["tokens"] / 1e6 for r in checks]
    axes.plot(tokens, [r["validation"]["loss"] for r in checks], label="held-out loss")
    axes.set_xlabel("million tokens")
    axes.set_ylabel("loss (nats per assistant token)")
    axes.set_yscale("log")
    shares = axes.twinx()
    for kind, style in (("calls", "g-"), ("others", "g--")):
        shares.plot(tokens, [r["validation"][f"exact_{kind}"] for r in checks], style, label=f"exact: {kind}")
    shares.set_ylim(0, 1)
    shares.set_ylabel("share of held-out answers written exactly")
    figure.legend(loc="upper center", ncols=4)
    figure.savefig(picture, dpi=120)
