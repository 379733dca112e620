"""A TCP proxy on loopback that delays each direction: what a server at a distance is like.

    delay_proxy.py TARGET_PORT MILLISECONDS     prints the port that it listens on, and runs until its input ends
"""

import collections
import select
import socket
import sys
import time


class Link:
    """One direction of a connection: what was read and when it may go on."""

    def __init__(self, source, sink):
        self.source, self.sink = source, sink
        self.waiting = collections.deque()


def main():
    port, delay = int(sys.argv[1]), float(sys.argv[2]) / 1000
    listener = socket.create_server(("127.0.0.1", 0), backlog=128)
    print(listener.getsockname()[1], flush=True)
    links = {}     # socket that is read -> Link
    due = collections.deque()  # (time, link), in order: all wait equally long
    while True:
        pause = max(0, due[0][0] - time.perf_counter()) if due else None
        readable, _, _ = select.select([sys.stdin, listener, *links], [], [], pause)
        now = time.perf_counter()
        while due and due[0][0] <= now:
            _, link = due.popleft()
            data = link.waiting.popleft()
            try:
                if data:
                    link.sink.setblocking(True)
                    link.sink.sendall(data)
                else:
                    link.sink.shutdown(socket.SHUT_WR)
            except OSError:
                pass
        for source in readable:
            if source is sys.stdin:
                return
            if source is listener:
                client, _ = listener.accept()
                server = socket.create_connection(("127.0.0.1", port))
                for each in (client, server):
                    each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                links[client], links[server] = Link(client, server), Link(server, client)
                continue
            link = links[source]
            try:
                data = source.recv(1 << 16)
            except OSError:
                data = b""
            if not data:
                del links[source]
            link.waiting.append(data)
            due.append((now + delay, link))


if __name__ == "__main__":
    main()
