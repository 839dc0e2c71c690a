"""Settings of the gateway, and the loader that reads them."""

from gateway.config.loading import ENVIRONMENT_PREFIX, load_config
from gateway.config.sections import (
    AuditConfig,
    BatchesConfig,
    CacheConfig,
    Config,
    ImagesConfig,
    LimitsConfig,
    ModelConfig,
    ProcessConfig,
    ServerConfig,
)
from gateway.engine.config import EngineConfig

__all__ = [
    "ENVIRONMENT_PREFIX",
    "AuditConfig",
    "BatchesConfig",
    "CacheConfig",
    "Config",
    "EngineConfig",
    "ImagesConfig",
    "LimitsConfig",
    "ModelConfig",
    "ProcessConfig",
    "ServerConfig",
    "load_config",
]
