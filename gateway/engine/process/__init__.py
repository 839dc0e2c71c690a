"""The engine in a process of its own, under supervision."""

from gateway.engine.process.child import Forkserver
from gateway.engine.process.client import EngineProcess
from gateway.engine.process.messages import Setup
from gateway.engine.process.portable import TakenApart
from gateway.engine.process.restarts import Supervision

__all__ = ["EngineProcess", "Forkserver", "Setup", "Supervision", "TakenApart"]
