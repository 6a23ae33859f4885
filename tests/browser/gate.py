"""A way between browser and server that can be cut, as Wi-Fi that leads nowhere, or be cut after so many requests."""

import socket
import threading
from contextlib import suppress


class Gate:
    """Passes connections on to `port`. Open; shut (nobody answers the door); or dead (connected, and never a word)."""

    def __init__(self, port: int):
        self.port = port
        self.state = "open"
        self.left: int | None = None
        self._sockets: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._threads: list[threading.Thread] = []
        self._run(self._accept)

    def set(self, state: str, after: int | None = None) -> None:
        """Open or cut the way, at once or when `after` more requests have passed."""
        self.left = after
        if after is None:
            self.state = state
            for one in self._sockets if state != "open" else ():
                _end(one)

    def close(self) -> None:
        self.set("shut")
        _end(self._listener)
        for thread in self._threads:
            thread.join(5)
        for one in (self._listener, *self._sockets):
            one.close()

    def _run(self, work, *arguments) -> None:
        self._threads.append(threading.Thread(target=work, args=arguments, daemon=True))
        self._threads[-1].start()

    def _accept(self) -> None:
        while True:
            try:
                client, _address = self._listener.accept()
            except OSError:
                return
            self._sockets.append(client)
            if self.state == "shut":
                _end(client)
            elif self.state == "open":
                server = socket.create_connection(("127.0.0.1", self.port))
                self._sockets.append(server)
                for pair in ((client, server), (server, client)):
                    self._run(self._pass, *pair, pair[0] is client)

    def _pass(self, source: socket.socket, target: socket.socket, is_asking: bool) -> None:
        try:
            while data := source.recv(65536):
                if is_asking and self.left is not None and data.startswith(b"GET "):
                    self.left -= 1
                    if self.left < 0:
                        self.set("shut")
                        return
                target.sendall(data)
        except OSError:
            pass
        finally:
            _end(source)
            _end(target)


def _end(one: socket.socket) -> None:
    with suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
