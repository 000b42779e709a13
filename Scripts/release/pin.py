#!/usr/bin/env python3
"""Fixes the versions of all dependencies for a release: resolves each package anew, and writes the union of what SwiftPM
chose into Scripts/release/Package.resolved."""
import json, pathlib, subprocess

root = pathlib.Path(__file__).resolve().parents[2]
pins = {}
for package in ["KeyServer", "Audit", "Agent", "."]:
    resolved = root / package / "Package.resolved"
    resolved.unlink(missing_ok=True)
    scratch = root / ".build-release" / ("keyserver" if package == "KeyServer" else "main")
    subprocess.run(
        ["swift", "package", "--package-path", root / package, "--scratch-path", scratch, "resolve"], check=True)
    for pin in json.loads(resolved.read_text())["pins"]:
        other = pins.setdefault(pin["identity"], pin)
        if other != pin:
            raise SystemExit(f"{pin['identity']} is {pin['state']['version']} in {package}, and elsewhere another one")
document = {"pins": [pins[identity] for identity in sorted(pins)], "version": 3}
(root / "Scripts/release/Package.resolved").write_text(json.dumps(document, indent=2) + "\n")
