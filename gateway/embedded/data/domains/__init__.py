"""Declared tools by domain. `TRAIN_TOOLS` are trained on; `HELDOUT_TOOLS` are seen in the evaluation only."""

from gateway.embedded.data.domains.banking import TOOLS as _BANKING
from gateway.embedded.data.domains.buildings import TOOLS as _BUILDINGS
from gateway.embedded.data.domains.clocks import TOOLS as _CLOCKS
from gateway.embedded.data.domains.cloud import TOOLS as _CLOUD
from gateway.embedded.data.domains.commerce import TOOLS as _COMMERCE
from gateway.embedded.data.domains.community import TOOLS as _COMMUNITY
from gateway.embedded.data.domains.culture import TOOLS as _CULTURE
from gateway.embedded.data.domains.developer import TOOLS as _DEVELOPER
from gateway.embedded.data.domains.devices import TOOLS as _DEVICES
from gateway.embedded.data.domains.documents import TOOLS as _DOCUMENTS
from gateway.embedded.data.domains.dues import TOOLS as _DUES
from gateway.embedded.data.domains.everyday import TOOLS as _EVERYDAY
from gateway.embedded.data.domains.family import TOOLS as _FAMILY
from gateway.embedded.data.domains.farms import TOOLS as _FARMS
from gateway.embedded.data.domains.finance import TOOLS as _FINANCE
from gateway.embedded.data.domains.health import TOOLS as _HEALTH
from gateway.embedded.data.domains.home import TOOLS as _HOME
from gateway.embedded.data.domains.hospital import TOOLS as _HOSPITAL
from gateway.embedded.data.domains.household import TOOLS as _HOUSEHOLD
from gateway.embedded.data.domains.industry import TOOLS as _INDUSTRY
from gateway.embedded.data.domains.kitchens import TOOLS as _KITCHENS
from gateway.embedded.data.domains.knowledge import HELDOUT as HELDOUT_TOOLS
from gateway.embedded.data.domains.knowledge import TOOLS as _KNOWLEDGE
from gateway.embedded.data.domains.laboratory import TOOLS as _LABORATORY
from gateway.embedded.data.domains.leisure import TOOLS as _LEISURE
from gateway.embedded.data.domains.mail import TOOLS as _MAIL
from gateway.embedded.data.domains.marketing import TOOLS as _MARKETING
from gateway.embedded.data.domains.media import TOOLS as _MEDIA
from gateway.embedded.data.domains.networks import TOOLS as _NETWORKS
from gateway.embedded.data.domains.notes import TOOLS as _NOTES
from gateway.embedded.data.domains.numbers import TOOLS as _NUMBERS
from gateway.embedded.data.domains.office import TOOLS as _OFFICE
from gateway.embedded.data.domains.outings import TOOLS as _OUTINGS
from gateway.embedded.data.domains.personnel import TOOLS as _PERSONNEL
from gateway.embedded.data.domains.playback import TOOLS as _PLAYBACK
from gateway.embedded.data.domains.roads import TOOLS as _ROADS
from gateway.embedded.data.domains.schools import TOOLS as _SCHOOLS
from gateway.embedded.data.domains.science import TOOLS as _SCIENCE
from gateway.embedded.data.domains.shopping import TOOLS as _SHOPPING
from gateway.embedded.data.domains.software import TOOLS as _SOFTWARE
from gateway.embedded.data.domains.townhall import TOOLS as _TOWNHALL
from gateway.embedded.data.domains.travel import TOOLS as _TRAVEL
from gateway.embedded.data.domains.vehicles import TOOLS as _VEHICLES
from gateway.embedded.data.domains.work import TOOLS as _WORK
from gateway.embedded.data.domains.workshop import TOOLS as _WORKSHOP
from gateway.embedded.data.toolspec import ToolSpec

TRAIN_TOOLS: tuple[ToolSpec, ...] = _EVERYDAY + _WORK + _COMMERCE + _KNOWLEDGE + _HOME
TRAIN_TOOLS += _DEVELOPER
TRAIN_TOOLS += _CLOUD
TRAIN_TOOLS += _FINANCE
TRAIN_TOOLS += _OFFICE
TRAIN_TOOLS += _INDUSTRY
TRAIN_TOOLS += _SCIENCE
TRAIN_TOOLS += _TRAVEL + _ROADS
TRAIN_TOOLS += _DEVICES + _CLOCKS + _NUMBERS + _MAIL + _NOTES + _DOCUMENTS
TRAIN_TOOLS += _SHOPPING + _OUTINGS + _PLAYBACK + _DUES
TRAIN_TOOLS += _COMMUNITY + _HOSPITAL + _LABORATORY + _MARKETING + _PERSONNEL + _SOFTWARE + _VEHICLES + _WORKSHOP
TRAIN_TOOLS += _BANKING + _BUILDINGS + _CULTURE + _FARMS + _KITCHENS + _NETWORKS + _SCHOOLS + _TOWNHALL
TRAIN_TOOLS += _HEALTH + _MEDIA + _HOUSEHOLD + _LEISURE + _FAMILY

__all__ = ["HELDOUT_TOOLS", "TRAIN_TOOLS"]
