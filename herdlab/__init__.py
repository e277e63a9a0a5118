"""herdlab from Python: everything the command line finds out, as functions.

    import herdlab

    found = herdlab.compare("herd", "keeper", "keeper-dog", field="keeper,keeper")
    print(found.verdict)
    found.frame()

Names and defaults are those of the command line; `herdlab.api` says what they share.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from herdlab.api import *  # noqa: F403


class _Folder(ModuleType):
    """The folder `herdlab.strategies`, to import from, and to call as the function it is too."""

    def __call__(self, game: str, name: str | None = None, *, plugins: Any = ()) -> Any:
        """Return the strategies of a game, or one by its name."""
        return import_module("herdlab.api").strategies(game, name, plugins=plugins)


class _Package(ModuleType):
    """The package; public functions are loaded when they are used: --help must start fast."""

    def __getattr__(self, name: str) -> Any:
        if name == "strategies":
            return import_module("herdlab.strategies")
        public = [] if name.startswith("_") and name != "__all__" else _public()
        if name == "__all__":
            return public
        if name not in public:
            raise AttributeError(f"module 'herdlab' has no attribute '{name}'")
        return getattr(import_module("herdlab.api"), name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "strategies" and isinstance(value, ModuleType):
            value.__class__ = _Folder
        super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return _public()


def _public() -> list[str]:
    return list(import_module("herdlab.api").__all__)


sys.modules[__name__].__class__ = _Package
