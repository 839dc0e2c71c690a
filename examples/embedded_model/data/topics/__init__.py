"""The topics of records, by the part of life that they belong to."""

from embedded_model.data.topics.life import LIFE
from embedded_model.data.topics.machines import MACHINES
from embedded_model.data.topics.people import PEOPLE
from embedded_model.data.topics.trade import TRADE
from embedded_model.data.topics.travel import TRAVEL

TOPICS = (*PEOPLE, *TRADE, *LIFE, *TRAVEL, *MACHINES)

__all__ = ["TOPICS"]
