"""A TCP proxy between a client and a PostgreSQL server that knows where each message of their protocol ends.

    with Proxy(server.port) as proxy:    the client connects to proxy.port
        proxy.arm(Fault(...))            from now on messages of all connections are counted; the fault strikes once
        proxy.disarm()                   returns whether it has struck
"""

import socket
import struct
import threading
import time
from dataclasses import dataclass

TO_SERVER = "to the server"
TO_CLIENT = "to the client"
# Requests of a connection's beginning that the server answers with a single byte.
_ASKS_FOR_ENCRYPTION = (80877103, 80877104)
_PASS, _SWALLOW, _CUT = range(3)


@dataclass
class Fault:
    """Cuts a connection instead of passing message `at` (from 1) on, or instead of the answer to one that holds `word`."""

    direction: str = TO_SERVER
    at: int = 0
    word: bytes = b""
    delay: float = 0  # each message that way waits so many seconds


class Proxy:
    def __init__(self, port):
        self._target = port
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self._listener.getsockname()[1]
        self._lock = threading.Lock()
        self._fault = None
        self.seen = 0            # messages in the fault's direction since it was armed
        self._struck = False
        self._sockets = set()

    def __enter__(self):
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *unused):
        self._listener.close()
        with self._lock:
            sockets = list(self._sockets)
        for each in sockets:
            _shut(each)

    def arm(self, fault):
        with self._lock:
            self._fault, self.seen, self._struck = fault, 0, False

    def disarm(self):
        with self._lock:
            self._fault = None
            return self._struck

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        try:
            server = socket.create_connection(("127.0.0.1", self._target))
        except OSError:
            _shut(client)
            client.close()
            return
        for each in (client, server):
            each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with self._lock:
            self._sockets |= {client, server}
        link = _Link(client, server)
        back = threading.Thread(target=self._pump, args=(link, TO_CLIENT), daemon=True)
        back.start()
        self._pump(link, TO_SERVER)
        back.join()
        with self._lock:
            self._sockets -= {client, server}
        client.close()
        server.close()

    def _pump(self, link, direction):
        source, sink = (link.client, link.server) if direction == TO_SERVER else (link.server, link.client)
        stream = source.makefile("rb")
        read = link.from_client if direction == TO_SERVER else link.from_server
        try:
            while message := read(stream):
                verdict = self._judge(link, direction, message)
                if verdict == _CUT:
                    break
                if verdict == _PASS:
                    sink.sendall(message)
        except OSError:
            pass
        _shut(link.client)
        _shut(link.server)

    def _judge(self, link, direction, message):
        if link.swallowing:
            # The server is done with a request when it says that it is ready for the next.
            return _PASS if direction == TO_SERVER else _CUT if message[:1] == b"Z" else _SWALLOW
        with self._lock:
            fault = self._fault
            if fault is None or fault.direction != direction or self._struck:
                return _PASS
            self.seen += 1
            self._struck = self.seen == fault.at or bool(fault.word) and fault.word in message
            struck = self._struck
            link.swallowing = struck and bool(fault.word)
        time.sleep(fault.delay)
        return _CUT if struck and not fault.word else _PASS


class _Link:
    """The two ends of a connection, and how far its beginning has come."""

    def __init__(self, client, server):
        self.client = client
        self.server = server
        self.swallowing = False
        self._asking = 0         # answers of a single byte that are still to come
        self._begun = False

    def from_client(self, stream):
        if self._begun:
            return _message(stream, stream.read(1))
        message = _message(stream, b"")
        if message and struct.unpack("!I", message[4:8])[0] in _ASKS_FOR_ENCRYPTION:
            self._asking += 1
        else:
            self._begun = True
        return message

    def from_server(self, stream):
        first = stream.read(1)
        if first and self._asking:
            self._asking -= 1
            return first
        return _message(stream, first) if first else b""


def _message(stream, kind):
    """One message: its type, its length and what is in it; empty at the end."""
    length = stream.read(4)
    if len(length) < 4:
        return b""
    return kind + length + stream.read(struct.unpack("!I", length)[0] - 4)


def _shut(connection):
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
