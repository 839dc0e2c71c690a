"""LoRA adapters that clients load and unload while a model is served."""

from __future__ import annotations

import asyncio
from pathlib import Path

from gateway.core.model import ServedAdapter
from gateway.engine.errors import EngineFault
from gateway.errors import AdapterError, ModelNotFoundError, NotServedError
from gateway.service.model.adapter_folder import read_adapter_folder, stamp_of
from gateway.service.model.loaded import LoadedModel
from gateway.service.request.engine_requests import as_gateway_error

MAX_NAME = 256


class ModelAdapters:
    """Adapters of a loaded model. For one event loop."""

    def __init__(self, loaded: LoadedModel) -> None:
        self._engine, self._served = loaded.engine, loaded.served
        self._folder = loaded.config.model.adapter_folder

    async def load(self, name: str, path: str) -> None:
        """Load an adapter; requests may name it then.

        Args:
            path: Its folder, relative to `model.adapter_folder` or absolute.

        Raises:
            NotServedError: This server loads none.
            AdapterError: The adapter cannot be loaded; says why.
        """
        root = self._allowed()
        if not name.isprintable() or not 1 <= len(name) <= MAX_NAME or " " in name:
            raise AdapterError(f"lora_name must be 1 to {MAX_NAME} characters without blanks", param="lora_name")
        if name in self._served.names:
            raise AdapterError(f"the name {name!r} is taken; unload the adapter first", param="lora_name")
        try:
            folder, stamp = await asyncio.to_thread(_inside, root, path)
            file = await asyncio.to_thread(read_adapter_folder, name, folder)
            await asyncio.wrap_future(self._engine.load_adapter(file))
        except AdapterError as error:
            error.param = "lora_path"
            raise
        except EngineFault as fault:
            raise as_gateway_error(fault) from fault
        self._served.adapters[name] = ServedAdapter(str(folder), stamp)

    async def unload(self, name: str) -> None:
        """Unload an adapter: new requests for it are refused; returns when those under way have ended.

        Raises:
            NotServedError: This server unloads none.
            ModelNotFoundError: No adapter has this name.
        """
        self._allowed()
        if self._served.adapters.pop(name, None) is None:
            raise ModelNotFoundError(f"no adapter named {name[:MAX_NAME]!r} is loaded", param="lora_name")
        try:
            await asyncio.wrap_future(self._engine.unload_adapter(name))
        except EngineFault as fault:
            raise as_gateway_error(fault) from fault

    def _allowed(self) -> Path:
        if self._folder is None:
            raise NotServedError("this server loads and unloads no adapters (model.adapter_folder is not set)")
        return Path(self._folder).expanduser()


def _inside(root: Path, path: str) -> tuple[Path, str]:
    """Return a folder that is below the root, wherever links lead, and the stamp of its files.

    Raises:
        AdapterError: It is elsewhere, or has no adapter. What is elsewhere is not looked at.
    """
    try:
        base, folder = root.resolve(), (root / path).resolve()
        if base not in folder.parents:
            raise AdapterError("lora_path must be a folder below the server's model.adapter_folder")
        return folder, stamp_of(folder)
    except (OSError, ValueError, RuntimeError) as error:
        raise AdapterError("lora_path is no folder of an adapter") from error
