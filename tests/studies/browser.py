"""A browser without a window, driven over the WebDriver protocol."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.error import HTTPError
from urllib.request import Request, urlopen

MISSING = [name for name in ("chromium", "chromedriver") if shutil.which(name) is None]
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the name that the protocol gives to elements
WAIT = 60  # seconds


class Browser:
    """One window; every method is one command of the protocol."""

    def __init__(self, address: str) -> None:
        options = {
            "binary": shutil.which("chromium"),
            "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
        }
        wanted = {
            "browserName": "chrome",
            "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        }
        self.address = address
        reply = self._send("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self.address = f"{address}/session/{reply['sessionId']}"

    def _send(self, method, path, body=None):
        data = None if method == "GET" else json.dumps(body or {}).encode()
        request = Request(f"{self.address}{path}", data, {"Content-Type": "application/json"}, method=method)  # noqa: S310 - our own driver
        try:
            with urlopen(request, timeout=WAIT) as answer:  # noqa: S310 - as above
                return json.load(answer)["value"]
        except HTTPError as error:
            raise AssertionError(f"{path}: {json.load(error)['value']['message']}") from error

    def open(self, url):
        self._send("POST", "/url", {"url": url})

    def close(self):
        self._send("DELETE", "")

    def size(self, width, height):
        self._send("POST", "/window/rect", {"width": width, "height": height})

    def run(self, script, *arguments):
        return self._send("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def find(self, selector):
        reply = self._send("POST", "/elements", {"using": "css selector", "value": selector})
        return [element[ELEMENT] for element in reply]

    def click(self, element):
        self._send("POST", f"/element/{element}/click")

    def press(self, element, keys):
        self._send("POST", f"/element/{element}/value", {"text": keys})

    def log(self, kind):
        return self._send("POST", "/se/log", {"type": kind})

    def pdf(self):
        return self._send("POST", "/print")

    def picture(self):
        return self._send("GET", "/screenshot")

    def tell(self, command, **parameters):
        self._send("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})


@contextmanager
def browser() -> Iterator[Browser]:
    """Start a driver and a window, and end both."""
    driver = subprocess.Popen([shutil.which("chromedriver"), "--port=0"], stdout=subprocess.PIPE, text=True)
    try:
        for line in driver.stdout:
            if port := re.search(r"started successfully on port (\d+)", line):
                break
        window = Browser(f"http://127.0.0.1:{port[1]}")
        try:
            yield window
        finally:
            window.close()
    finally:
        driver.terminate()
        driver.wait(WAIT)
        driver.stdout.close()
