#!/usr/bin/env python3
"""How fast hosts read their routes while the service re-optimises, with slow clients and event streams open.

    perf/service.py [--program FILE] [--seconds 10] [--slow 500] [--streams 100] [--out FILE]

Starts the service with the paper's largest setting, opens connections that stay silent or drip, and event streams;
takes a link down and up again every 200 ms, so that it keeps choosing routes; and measures GET /v1/routing?host= with
wrk (Debian's package of that name), one thread and 64 connections.
"""
import argparse
import http.client
import itertools
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import urllib.parse

FABRIC = "leaf-spine:leaves=64,spines=32,hosts=32,gbps=100"
JOBS = "paper:jobs=5,ring=4,seed=1"


def request(port, method, target, body=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request(method, target, body)
    response = connection.getresponse()
    text = response.read()
    connection.close()
    if response.status >= 400:
        sys.exit(f"{method} {target}: {response.status} {text.decode()}")
    return json.loads(text) if text else None


def start(program, state):
    service = subprocess.Popen(
        [program, "serve", "--listen", "127.0.0.1:0", "--state-dir", state, "--hold-up", "1ms", "--log-json"],
        stderr=subprocess.PIPE, text=True)
    for line in service.stderr:
        entry = json.loads(line)
        if entry["message"] == "listening":
            threading.Thread(target=service.stderr.read, daemon=True).start()
            return service, entry["port"]
    sys.exit("the service did not start")


def put_jobs(program, port, folder):
    path = os.path.join(folder, "jobs.json")
    subprocess.run([program, "generate", "jobs", JOBS, "--fabric", FABRIC, "-o", path], check=True,
                   stdout=subprocess.DEVNULL)
    with open(path) as file:
        for job in json.load(file)["jobs"]:
            request(port, "PUT", f"/v1/jobs/{job.pop('id')}", json.dumps(job))


def open_connection(port, text):
    connection = socket.create_connection(("127.0.0.1", port))
    connection.sendall(text)
    return connection


def drip(connections, stop):
    while not stop.wait(1):
        for connection in connections:
            try:
                connection.send(b"x")
            except OSError:
                pass  # it was too slow, and the service said so


def follow(streams, stop):
    while not stop.wait(0.05):
        for stream in streams:
            try:
                stream.recv(1 << 16, socket.MSG_DONTWAIT)
            except BlockingIOError:
                pass


def flap(port, host, stop, count):
    """Each time a link that the host uses, so that its flows must move."""
    for number in itertools.count():
        state = ("down", "up")[number % 2]
        if state == "down":
            link = next(r["links"][1] for r in request(port, "GET", f"/v1/routing?host={host}")["routes"]
                        if len(r["links"]) > 2)
        request(port, "PATCH", f"/v1/fabric/links/{urllib.parse.quote(link, safe='')}", json.dumps({"state": state}))
        count[0] += 1
        if stop.wait(0.1):
            return


def measure(port, host, seconds):
    output = subprocess.run(
        ["wrk", "-t1", "-c64", f"-d{seconds}s", "--latency", f"http://127.0.0.1:{port}/v1/routing?host={host}"],
        check=True, capture_output=True, text=True).stdout
    unit = {"us": 1e-3, "ms": 1, "s": 1e3}
    shares = {share: float(value) * unit[name]
              for share, value, name in re.findall(r"(\d+)%\s+([\d.]+)(us|ms|s)", output)}
    errors = re.search(r"Non-2xx or 3xx responses: (\d+)", output)
    socket_errors = re.search(r"Socket errors: (.*)", output)
    return {"requests_per_s": float(re.search(r"Requests/sec:\s+([\d.]+)", output)[1]),
            "p50_ms": shares["50"], "p99_ms": shares["99"],
            "errors": int(errors[1]) if errors else 0, "socket_errors": socket_errors[1] if socket_errors else ""}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/bin/spineweave")
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--slow", type=int, default=500)
    parser.add_argument("--streams", type=int, default=100)
    parser.add_argument("--out", help="write the result as JSON")
    options = parser.parse_args()
    if not shutil.which("wrk"):
        sys.exit("wrk is not installed")

    folder = tempfile.mkdtemp(prefix="spineweave-")
    service, port = start(options.program, os.path.join(folder, "state"))
    stop = threading.Event()
    threads, changes = [], [0]
    try:
        request(port, "PUT", "/v1/fabric", FABRIC)
        put_jobs(options.program, port, folder)
        first = request(port, "GET", "/v1/routing?since=0&wait=30s")["revision"]
        route = next(r for r in request(port, "GET", "/v1/routing")["routes"] if len(r["links"]) > 2)

        slow = [open_connection(port, b"" if i % 2 else b"PUT /v1/fabric HTTP/1.1\r\nHost: localhost\r\n"
                                b"Content-Length: 100000\r\n\r\n") for i in range(options.slow)]
        streams = [open_connection(port, b"GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
                   for _ in range(options.streams)]
        for work, arguments in ((drip, (slow[::2], stop)), (follow, (streams, stop)), (flap, (port, route["src"], stop, changes))):
            threads.append(threading.Thread(target=work, args=arguments))
            threads[-1].start()

        result = measure(port, route["src"], options.seconds)
        result.update(slow_connections=options.slow, event_streams=options.streams, link_changes=changes[0],
                      routings=sum(1 for r in request(port, "GET", "/v1/revisions?limit=1000")["revisions"]
                                   if r["revision"] > first))
        print(json.dumps(result, indent=2))
        if options.out:
            with open(options.out, "w") as file:
                json.dump(result, file, indent=2)
    finally:
        stop.set()
        for thread in threads:
            thread.join()
        service.terminate()
        service.wait(30)
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
