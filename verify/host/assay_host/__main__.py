"""Start-up and the loop over requests."""

import gc
import os
import sys
import threading
import time

from assay_host.frames import Channel, clip

PROTOCOL = 1


def watch_parent(parent):
    """Ends this process when assay is gone, also while user code hangs."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def import_torch(engine_package):
    """The interpreter's torch; the engine's under that name, where the folder of its package is given.
    What comes with it stays, so that no search for garbage has to look through it, now or later."""
    gc.disable()
    try:
        if engine_package:
            sys.path.insert(0, engine_package)
            from assay import launch

            launch.install()
        import torch  # noqa: F401
    finally:
        gc.enable()
    gc.freeze()


def main():
    channel = Channel()
    engine_package = sys.argv.pop() if len(sys.argv) > 1 else None
    threading.Thread(target=watch_parent, args=(os.getppid(),), daemon=True).start()
    hello = {"protocol": PROTOCOL, "engine": bool(engine_package), "python": sys.version.split()[0],
             "executable": sys.executable}  # fmt: skip
    try:
        import_torch(engine_package)
    except BaseException as error:  # A broken torch can raise anything.
        found = {"type": type(error).__name__, "message": clip(str(error)), "phase": "torch"}
        channel.send(dict(hello, ok=False, error=found))
        return
    from assay_host.host import Host

    # The model, and an export of it; each is loaded, called and put back by itself.
    hosts = {"model": Host(channel), "archive": Host(channel)}
    channel.send(dict(hosts["model"].do_describe({}, {})[0], ok=True, **hello))
    while True:
        received = channel.receive()
        if received is None or received[0].get("do") == "quit":
            break
        reply, tensors = hosts[received[0].get("of", "model")].answer(*received)
        channel.send(reply, tensors)
    os._exit(0)  # User code's threads and exit handlers have no say.


main()
