"""Frames over the standard streams, shielded from whatever user code prints or reads.

A frame is the length of the header as 8 little-endian bytes, the header (JSON), then raw tensor
bytes in the safetensors layout: the header has the message under "__message__" and one
{dtype, shape, data_offsets} per tensor.
"""

import io
import json
import os
import struct
import sys

MAX_TEXT = 16384


def clip(text, limit=MAX_TEXT):
    """Text that any UTF-8 reader accepts, of bounded length."""
    text = text if len(text) <= limit else text[:limit] + "..."
    return text.encode("utf-8", "replace").decode("utf-8")


def write_frame(file, message, tensors=()):
    """`tensors`: (name, dtype, shape, bytes) each."""
    header, offset = {"__message__": message}, 0
    for name, dtype, shape, data in tensors:
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [offset, offset + len(data)]}
        offset += len(data)
    text = json.dumps(header, allow_nan=False).encode("utf-8")
    file.write(struct.pack("<Q", len(text)) + text)
    for tensor in tensors:
        file.write(tensor[3])
    file.flush()


class Channel:
    """Frames over the original standard streams, which user code no longer sees.

    File descriptor 0 becomes /dev/null and 1 becomes standard error, so that nothing that user code
    (or a library under it) prints or reads can break a frame.
    """

    def __init__(self):
        self._in = os.fdopen(os.dup(0), "rb")
        self._out = os.fdopen(os.dup(1), "wb")
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        os.close(null)
        os.dup2(2, 1)
        self.printed = Printed(sys.stderr)
        sys.stdout = self.printed

    def receive(self):
        """(message, {name: (dtype, shape, bytes)}), or None at the end of the stream."""
        size = self._in.read(8)
        if len(size) < 8:
            return None
        header = json.loads(self._in.read(struct.unpack("<Q", size)[0]).decode("utf-8"))
        message = header.pop("__message__")
        total = max([entry["data_offsets"][1] for entry in header.values()] or [0])
        data = self._in.read(total)
        tensors = {}
        for name, entry in header.items():
            begin, end = entry["data_offsets"]
            tensors[name] = (entry["dtype"], entry["shape"], data[begin:end])
        return message, tensors

    def send(self, message, tensors=()):
        write_frame(self._out, message, tensors)


class Printed(io.TextIOBase):
    """Standard output of user code: goes to standard error, and its beginning is remembered."""

    def __init__(self, target):
        self._target, self.text = target, ""

    def write(self, text):
        self.text += text[: max(0, MAX_TEXT - len(self.text))]
        return self._target.write(text)

    def flush(self):
        self._target.flush()

    def fileno(self):
        return 1
