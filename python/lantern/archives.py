"""Arrays out of npz files: apart from readers.py, which all programs import, for `zipfile`."""
from __future__ import annotations

import contextlib
import struct
import zipfile
import zlib

from lantern.exceptions import DataError
from lantern.readers import MOST_DEFLATE_PACKS, File, elements_of_npy


class _Member(File):
    """A file in an archive."""

    def __init__(self, opened, info, place):
        self._file, self.place = opened, place
        self.most = info.compress_size * (1 if info.compress_type == zipfile.ZIP_STORED else MOST_DEFLATE_PACKS)

    def read(self, count):
        try:
            return self._file.read(count)
        except (zipfile.BadZipFile, zlib.error, EOFError):
            self.refuse("its data is damaged")


@contextlib.contextmanager
def _zip_errors(path):
    try:
        yield
    except (zipfile.BadZipFile, NotImplementedError, ValueError, EOFError, struct.error, RuntimeError, OSError):
        raise DataError(f"{path}: it is not an npz file") from None


def npz(type_, path, name):
    with open(path, "rb") as file, contextlib.ExitStack() as stack:
        with _zip_errors(path):
            archive = stack.enter_context(zipfile.ZipFile(file))
        if f"{name}.npy" not in archive.namelist():
            raise DataError(f"{path}: there is no array '{name}' in it")
        info = archive.getinfo(f"{name}.npy")
        if info.flag_bits & 1 or info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise DataError(f"{path}: {name}: it is packed in a way that cannot be read")
        with _zip_errors(path):
            opened = stack.enter_context(archive.open(info))
        return elements_of_npy(_Member(opened, info, f"{path}: {name}"), type_)
