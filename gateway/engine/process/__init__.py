"""The engine in a process of its own, under supervision."""

from gateway.engine.process.forkserver_client import Forkserver
from gateway.engine.process.messages import Setup
from gateway.engine.process.supervisor import EngineProcess

__all__ = ["EngineProcess", "Forkserver", "Setup"]
