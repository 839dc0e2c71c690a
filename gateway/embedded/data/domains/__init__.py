"""Declared tools by domain. `TRAIN_TOOLS` are trained on; `HELDOUT_TOOLS` are seen in the evaluation only."""

from gateway.embedded.data.domains.commerce import TOOLS as _COMMERCE
from gateway.embedded.data.domains.everyday import TOOLS as _EVERYDAY
from gateway.embedded.data.domains.family import TOOLS as _FAMILY
from gateway.embedded.data.domains.health import TOOLS as _HEALTH
from gateway.embedded.data.domains.home import TOOLS as _HOME
from gateway.embedded.data.domains.household import TOOLS as _HOUSEHOLD
from gateway.embedded.data.domains.knowledge import HELDOUT as HELDOUT_TOOLS
from gateway.embedded.data.domains.knowledge import TOOLS as _KNOWLEDGE
from gateway.embedded.data.domains.leisure import TOOLS as _LEISURE
from gateway.embedded.data.domains.media import TOOLS as _MEDIA
from gateway.embedded.data.domains.roads import TOOLS as _ROADS
from gateway.embedded.data.domains.travel import TOOLS as _TRAVEL
from gateway.embedded.data.domains.work import TOOLS as _WORK

TRAIN_TOOLS = _EVERYDAY + _WORK + _COMMERCE + _KNOWLEDGE + _HOME
TRAIN_TOOLS += _TRAVEL + _ROADS + _HEALTH + _MEDIA + _HOUSEHOLD + _LEISURE + _FAMILY

__all__ = ["HELDOUT_TOOLS", "TRAIN_TOOLS"]
