# SPDX-License-Identifier: GPL-2.0-only
#
# A headless Chromium, driven through chromedriver's WebDriver protocol with nothing but
# Python's own modules. Used by pages.py and picture.py.
import base64
import json
import os
import re
import signal
import subprocess
import tempfile
import urllib.error
import urllib.request

OPTIONS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
           "--hide-scrollbars", "--force-device-scale-factor=1", "--no-first-run",
           "--disable-background-networking", "--disable-component-update"]


class Browser:
    """One window; to be used in a "with" statement, which ends all its processes."""

    def __init__(self, width=1280, height=800):
        self.home = tempfile.TemporaryDirectory(prefix="chess-browser-")
        environment = dict(os.environ, HOME=self.home.name, XDG_CONFIG_HOME=self.home.name)
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True, env=environment,
                                       start_new_session=True)
        self.url = self.session = None
        try:
            for line in self.driver.stdout:
                port = re.search(r"started successfully on port (\d+)", line)
                if port:
                    self.url = "http://127.0.0.1:%s" % port.group(1)
                    break
            else:
                raise RuntimeError("chromedriver ended without naming its port")
            options = OPTIONS + ["--window-size=%d,%d" % (width, height)]
            options.append("--user-data-dir=" + os.path.join(self.home.name, "profile"))
            answer = self.ask("POST", "/session", {"capabilities": {"alwaysMatch": {
                "browserName": "chrome", "goog:chromeOptions": {"args": options},
                "goog:loggingPrefs": {"browser": "ALL"}}}})
            self.session = "/session/" + answer["sessionId"]
            self.size(width, height)
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def close(self):
        try:
            if self.session:
                self.ask("DELETE", self.session)
        except (OSError, RuntimeError):
            pass
        # Its group: the browser as well, if that did not end with the session.
        try:
            os.killpg(self.driver.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.driver.wait()
        self.driver.stdout.close()
        self.home.cleanup()

    def ask(self, method, path, body=None):
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self.url + path, data, method=method)
        try:
            with urllib.request.urlopen(request, timeout=300) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(error.read().decode()[:600]) from None

    def devtools(self, command, **parameters):
        return self.ask("POST", self.session + "/goog/cdp/execute",
                        {"cmd": command, "params": parameters})

    def size(self, width, height):
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height,
                      deviceScaleFactor=1, mobile=False)

    def media(self, scheme, vision="none"):
        """scheme: "light" or "dark"; vision "achromatopsia": without colours"""
        self.devtools("Emulation.setEmulatedMedia",
                      features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.devtools("Emulation.setEmulatedVisionDeficiency", type=vision)

    def open(self, path):
        self.ask("POST", self.session + "/url", {"url": "file://" + os.path.abspath(path)})

    def run(self, script, *arguments):
        """The value of a function body in the page."""
        return self.ask("POST", self.session + "/execute/sync",
                        {"script": script, "args": list(arguments)})

    def run_async(self, script, *arguments):
        """The same, the value is what the last argument is called with."""
        return self.ask("POST", self.session + "/execute/async",
                        {"script": script, "args": list(arguments)})

    def key(self, key, code=None, shift=False):
        text = key if len(key) == 1 else ""
        for kind in ("keyDown", "keyUp"):
            self.devtools("Input.dispatchKeyEvent", type=kind, key=key, code=code or key,
                          modifiers=8 if shift else 0, text=text if kind == "keyDown" else "")

    def log(self):
        """What was written to the console since the last call."""
        return self.ask("POST", self.session + "/se/log", {"type": "browser"})

    def picture(self, path):
        with open(path, "wb") as f:
            f.write(base64.b64decode(self.ask("GET", self.session + "/screenshot")))
