"""Results as files: tables and whole results, written whole or not at all."""

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import TYPE_CHECKING, Any

from herdlab.analysis.runs.folder_files import FolderFiles
from herdlab.simcore.errors import BadInput, unknown

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

DATA_FILES = (".csv", ".parquet", ".json")
FIGURES = (".svg", ".png", ".pdf")
_CONTEXT = ("game", "rules_hash", "seed", "version")
"""What every row of a table has beside its own, so that it can be told where it comes from."""
BULKY = 64
"""Lists with more numbers than that are left out of a Parquet file's metadata."""


def save(frame: "pd.DataFrame", whole: dict[str, Any], path: Path) -> None:
    """Write a result to a file, in the format that the file's suffix names.

    A .csv or .parquet file has the rows of `frame`, without its index; the latter also `whole`
    without its long lists, as JSON under the key "herdlab" of its metadata.  A .json file has
    `whole`, in which nothing may be infinite or not a number: JSON has no words for those.
    """
    check(path)
    kind = path.suffix.lower()
    frame = frame.assign(
        **{key: whole[key] for key in _CONTEXT if key in whole and key not in frame.columns}
    )
    if kind == ".csv":
        content = frame.to_csv(index=False, lineterminator="\n").encode()
    elif kind == ".parquet":
        content = _parquet(frame, whole)
    else:
        content = (json.dumps(whole, indent=1, allow_nan=False) + "\n").encode()
    write(content, path)


def check(path: Path, kinds: Sequence[str] = DATA_FILES) -> None:
    """Refuse a file that could not be written or whose suffix is none of `kinds`.

    To be asked before hours of work.
    """
    suffix = path.suffix.lower()
    if not suffix:
        raise BadInput(f"the name of a file must end in one of {', '.join(kinds)}, not '{path}'")
    if suffix not in kinds:
        raise unknown("kind of file", suffix, kinds)
    try:
        if not path.parent.is_dir():
            raise BadInput(f"'{path}' cannot be written: there is no folder '{path.parent}'")
        with suppress(FileNotFoundError):
            mode = os.stat(path).st_mode
            if not S_ISREG(mode):  # a device, if replaced, would be gone
                what = "a folder" if S_ISDIR(mode) else "no ordinary file"
                raise BadInput(f"'{path}' cannot be written: it is {what}")
            if not os.access(path, os.W_OK):
                raise BadInput(f"'{path}' cannot be written: it is read-only")
        with _opened_folder(path) as (folder, _):
            folder.probe()  # nothing else tells for sure whether the folder takes a file
    except OSError as error:
        raise BadInput(f"'{path}' cannot be written: {error.strerror}") from None


def write(content: bytes, path: Path) -> None:
    """Write a file under another name in its folder, and give it its own when it is whole.

    A link stays a link: what it points to is replaced.
    """
    try:
        with _opened_folder(path) as (folder, name):
            folder.write(name, content)
    except OSError as error:
        raise BadInput(f"'{path}' cannot be written: {error.strerror}") from None


@contextmanager
def _opened_folder(path: Path) -> Iterator[tuple[FolderFiles, str]]:
    """Yield the folder of a file, or of what a link points to, and the file's name there."""
    real = Path(os.path.realpath(path))
    with closing(FolderFiles(real.parent)) as folder:
        yield folder, real.name


def _parquet(frame: "pd.DataFrame", whole: dict[str, Any]) -> bytes:
    import pyarrow as pa

    one_typed = frame.copy()
    for name in frame.columns:
        try:
            pa.array(frame[name], from_pandas=True)
        except (pa.ArrowInvalid, pa.ArrowTypeError):
            # numbers beside names, such as a parameter's values: as text, as CSV has them too
            one_typed[name] = frame[name].map(str, na_action="ignore")
    table = pa.Table.from_pandas(one_typed, preserve_index=False)
    return parquet_file(table, json.dumps(_without_bulk(whole), allow_nan=False))


def parquet_file(table: "pa.Table", about: str, **how: Any) -> bytes:
    """Return a table as a Parquet file that says under the key "herdlab" what it is `about`."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    sink = pa.BufferOutputStream()
    metadata = {**(table.schema.metadata or {}), "herdlab": about}
    pq.write_table(table.replace_schema_metadata(metadata), sink, **how)
    content: bytes = sink.getvalue().to_pybytes()
    return content


def _without_bulk(value: Any) -> Any:
    """Return a result without its long lists."""
    if not isinstance(value, dict):
        return value
    return {
        key: _without_bulk(one)
        for key, one in value.items()
        if not (isinstance(one, list | tuple) and _size(one) > BULKY)
    }


def _size(value: Any) -> int:
    if isinstance(value, dict):
        return sum(map(_size, value.values()))
    return sum(map(_size, value)) if isinstance(value, list | tuple) else 1
