#!/usr/bin/env python3
"""Opens the HTML report of a run in headless Chromium: nothing on its console, no request to anywhere else, and the
figures that `show` has. Exit code 77 where there is no Chromium.

usage: html_report.py PROGRAM PROJECT"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


def answer(program, *arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=120)
    if done.returncode:
        sys.exit(f"{' '.join(arguments)}: {done.stderr}")
    return done.stdout


def opened(browser, page, folder):
    """What the page is once it is drawn, what was said on the console, and what was asked for."""
    log = folder / "net.json"
    done = subprocess.run(
        [browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-default-apps", "--disable-sync",
         f"--user-data-dir={folder / 'profile'}", f"--log-net-log={log}", "--enable-logging=stderr",
         "--host-resolver-rules=MAP * ~NOTFOUND", "--virtual-time-budget=2000", "--dump-dom", page.as_uri()],
        capture_output=True, text=True, timeout=100, env={**os.environ, "HOME": str(folder)})
    if done.returncode:
        sys.exit(f"{browser}: {done.stderr[-2000:]}")
    console = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    text = log.read_text(errors="replace") if log.exists() else ""
    # Chromium asks its makers for updates by itself.
    own = re.compile(r"^https?://([^/]+\.)?(google|googleapis|gvt1|gstatic)\.com[/:]")
    asked = sorted({url for url in re.findall(r'"url":"(https?://[^"]+)"', text) if not own.match(url)})
    return done.stdout, console, asked


def main():
    program, project = sys.argv[1:]
    browser = next((found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None)
    if browser is None:
        print("there is no Chromium")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        database = folder / "d.sqlite"
        page = folder / "report.html"
        answer(program, "run", project, "--no-numerics", "--database", str(database))
        answer(program, "export", "last", "--format", "html", "--database", str(database), "-o", str(page))
        summary = json.loads(answer(program, "show", "last", "--json", "--database", str(database)))
        wrong = folder / "wrong.html"
        wrong.write_text('<img src="http://example.org/x.png"><script>console.error("wrong")</script>')
        _, console, asked = opened(browser, wrong, folder)
        assert console and asked == ["http://example.org/x.png"], "this check sees nothing"
        document, console, asked = opened(browser, page, folder)
        assert not console, console
        assert not asked, asked
        links = re.findall(r'(?:src|href)\s*=\s*"(?!#|data:)([^"]+)"', document)
        assert not links, links
        text = re.sub(r"<[^>]+>", " ", document)
        digits = re.sub(r"[\s,]", "", text)
        for figure in ("step_cycles", "effective_batch"):
            assert str(summary[figure]) in digits, f"{figure} {summary[figure]} is not on the page"
        rate = summary["samples_per_second"]
        shown = {f"{rate:.{places}f}".rstrip("0").rstrip(".") for places in range(0, 4)} | {f"{rate:.3g}", f"{rate:.4g}"}
        assert any(one in digits for one in shown), f"{rate} is not on the page"
        print(f"{page.stat().st_size} bytes: no error, no request, the figures of show")


main()
