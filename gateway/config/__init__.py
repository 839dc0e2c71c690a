"""Settings: what can be set, and where it is read from."""

from gateway.config.loading import ENVIRONMENT_PREFIX, describe, load_config
from gateway.config.sections import (
    AuditConfig,
    Config,
    EngineConfig,
    LimitsConfig,
    ModelConfig,
    ProcessConfig,
    ServerConfig,
)

__all__ = [
    "ENVIRONMENT_PREFIX",
    "AuditConfig",
    "Config",
    "EngineConfig",
    "LimitsConfig",
    "ModelConfig",
    "ProcessConfig",
    "ServerConfig",
    "describe",
    "load_config",
]
