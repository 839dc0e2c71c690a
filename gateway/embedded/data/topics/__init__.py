"""The topics of records, by the part of life that they belong to."""

from gateway.embedded.data.topics.life import LIFE
from gateway.embedded.data.topics.machines import MACHINES
from gateway.embedded.data.topics.people import PEOPLE
from gateway.embedded.data.topics.trade import TRADE
from gateway.embedded.data.topics.travel import TRAVEL

TOPICS = (*PEOPLE, *TRADE, *LIFE, *TRAVEL, *MACHINES)

__all__ = ["TOPICS"]
