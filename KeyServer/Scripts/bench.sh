#!/usr/bin/env bash
# Measures the key server with a PostgreSQL of its own, which it makes and removes.
#
#   bench.sh PROGRAM load     evaluations per second, and what PostgreSQL alone does with the same statement
#   bench.sh PROGRAM soak     the same load for BENCH_SECONDS (600), and the server's memory; P384-SHA384 for a
#                             twentieth of the time
#   bench.sh PROGRAM timing   whether answers or times tell which accounts exist
#
# PROGRAM is AtRestKeyServerBenchmarks. Nothing is reachable from outside: PostgreSQL has only a Unix socket, and
# the server is on the loopback interface.
set -euo pipefail

program="$1"
mode="${2:-load}"
accounts="${BENCH_ACCOUNTS:-6000}"
bin=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
folder=$(mktemp -d "${BENCH_FOLDER:-/tmp}/atrest-keyserver-bench.XXXXXX")
user=()
if [ "$(id -u)" -eq 0 ]; then
  chown postgres "$folder"
  chmod 755 "$folder"
  user=(setpriv --reuid postgres --regid postgres --clear-groups)
fi
server=""
stop() {
  if [ -n "$server" ]; then kill "$server" 2>/dev/null && wait "$server" 2>/dev/null; fi
  "${user[@]}" "$bin/pg_ctl" -D "$folder/data" -m immediate -s stop 2>/dev/null
  rm -rf "$folder"
}
trap 'stop || true' EXIT

# Durable commits, as in operation.
"${user[@]}" "$bin/initdb" -D "$folder/data" -A trust -U keyserver -E UTF8 --locale C >/dev/null
cat >>"$folder/data/postgresql.conf" <<CONF
listen_addresses = ''
unix_socket_directories = '$folder'
shared_buffers = 128MB
CONF
"${user[@]}" "$bin/pg_ctl" -D "$folder/data" -w -s -l "$folder/data/log" start
postgres=$(head -n 1 "$folder/data/postmaster.pid")
database="host=$folder user=keyserver dbname=postgres"
options=(--database "$database" --server-key "$folder/server-key")

openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$folder/key.pem" \
  -out "$folder/chain.pem" -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost 2>/dev/null

# Accounts are made without waiting for the disk.
prepare() {
  set_fsync off
  # shellcheck disable=SC2086 # several words
  "$program" prepare "${options[@]}" --accounts "$1" --suites ${BENCH_SUITES:-ristretto255 p384}
  set_fsync on
  "$bin/psql" -X -q -d "$database" -c CHECKPOINT
}

set_fsync() {
  "$bin/psql" -X -q -A -t -d "$database" -c "ALTER SYSTEM SET fsync = $1" -c "SELECT pg_reload_conf()" >/dev/null
}

serve() {
  "$program" serve "${options[@]}" --certificate "$folder/chain.pem" --private-key "$folder/key.pem" \
    --workers "${BENCH_WORKERS:-16}" "$@" >"$folder/server.log" 2>&1 &
  server=$!
  for _ in $(seq 200); do
    port=$(sed -n 's/^port=//p' "$folder/server.log")
    if [ -n "$port" ]; then return; fi
    sleep 0.05
  done
  cat "$folder/server.log" >&2
  exit 1
}

echo "$(nproc) processors, PostgreSQL $("$bin/postgres" --version | grep -o '[0-9.]*' | head -n 1)"
if [ "$mode" = timing ]; then
  # Eight groups of names are used up.
  requests="${BENCH_REQUESTS:-10000}"
  prepare "$requests"
  serve --delays
  for suite in ${BENCH_SUITES:-ristretto255 p384}; do
    stdbuf -oL "$program" timing "${options[@]}" --suite "$suite" --port "$port" --trust-roots "$folder/chain.pem" \
      --requests "$requests"
  done
  exit
fi

"$program" crypto
prepare "$accounts"
# The statement of the server, with values of the same sizes, by as many clients as there are transactions at a
# time, and by more.
cat >"$folder/update.sql" <<SQL
\set account random(1, $accounts)
UPDATE bench SET edition = edition + 1, sealed = sealed WHERE id = sha256(:account::text::bytea) RETURNING edition;
SQL
"$bin/psql" -X -q -d "$database" <<SQL
CREATE TABLE bench (LIKE keyserver_attempts INCLUDING ALL);
INSERT INTO bench SELECT sha256(i::text::bytea), '', 0, 1, decode(repeat('ab', 120), 'hex')
  FROM generate_series(1, $accounts) i;
SQL
for clients in 2 8 32; do
  "$bin/pgbench" -n -M prepared -c "$clients" -j 1 -T "${BENCH_PGBENCH:-10}" -f "$folder/update.sql" \
    "$database" 2>/dev/null | awk -v c="$clients" '
      /^latency average/ { latency = $4 } /^tps/ { print "pgbench, " c " clients: " int($3) "/s, " latency " ms" }'
done

serve
load() {
  "$program" load --port "$port" --trust-roots "$folder/chain.pem" --accounts "$accounts" \
    --database "$database" --server "$server" --postgres "$postgres" "$@"
}
if [ "$mode" = soak ]; then
  for suite in ${BENCH_SUITES:-ristretto255 p384}; do
    seconds=${BENCH_SECONDS:-600}
    if [ "$suite" = p384 ]; then seconds=$((seconds / 20)); fi
    load --suite "$suite" --connections "${BENCH_CONNECTIONS:-12}" --seconds "$seconds"
  done
else
  for suite in ${BENCH_SUITES:-ristretto255 p384}; do
    for connections in ${BENCH_CONNECTIONS:-1 2 4 8 16 32}; do
      load --suite "$suite" --connections "$connections" --seconds "${BENCH_SECONDS:-15}"
    done
  done
fi
