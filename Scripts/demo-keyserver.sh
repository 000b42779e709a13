#!/bin/bash
# Runs the main tasks of atrest-keyserver, with PostgreSQL and the server in a folder of their own. Each step
# prints its command and checks its result.
# Usage: Scripts/demo-keyserver.sh folder-of-the-programs
set -uo pipefail

scripts=$(realpath "$(dirname "$0")")
programs=$(realpath "${1:?usage: Scripts/demo-keyserver.sh folder-of-the-programs}")
postgres=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1)
[ -x "$postgres/initdb" ] || {
  echo "make demo-keyserver needs PostgreSQL: apt-get install postgresql" >&2
  exit 1
}
work=$(mktemp -d)
chmod 711 "$work"
mkdir "$work/bin" "$work/database" "$work/standby" && ln -s "$programs"/atrest-keyserver{,-client} "$work/bin"
export PATH="$work/bin:$PATH"
cd "$work" || exit 1
steps=0 failures=0 server=
SECONDS=0

# PostgreSQL refuses to run as root.
as_user=()
if [ "$(id -u)" -eq 0 ]; then
  user=$(id -u postgres 2>/dev/null || id -u nobody)
  chown "$user" database standby
  as_user=(setpriv --reuid "$user" --clear-groups)
fi
# postgres_control FOLDER ARGUMENT…
postgres_control() { "${as_user[@]}" "$postgres/pg_ctl" -D "$work/$1/data" -s -w "${@:2}"; }

finish() {
  [ -z "$server" ] || kill "$(program)" 2>/dev/null
  for node in database standby; do postgres_control "$node" -m immediate stop 2>/dev/null; done
  rm -rf "$work"
}
trap finish EXIT

# shellcheck source=Scripts/demo-steps.sh
. "$scripts/demo-steps.sh"

# printed TEXT: checks that the last step printed this text.
printed() { grep -qF -- "$1" out err || fail "the output lacks: $1"; }

title "PostgreSQL in a folder of its own"
step 0 "${as_user[*]} $postgres/initdb -D $work/database/data -A trust -U keyserver --no-sync >/dev/null"
cat >>database/data/postgresql.conf <<END
listen_addresses = ''
unix_socket_directories = '$work/database'
END
steps=$((steps + 1))
printf '\n$ pg_ctl start\n'
postgres_control database -l "$work/database/log" start || fail "PostgreSQL does not start"

title "A certificate, a server key and the settings"
step 0 'openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout private-key.pem \
    -out certificate.pem -days 3650 -subj /CN=localhost -addext subjectAltName=DNS:localhost 2>/dev/null'
step 0 'atrest-keyserver key create server-key'
cat >settings.yaml <<END
database: host=$work/database,$work/standby user=keyserver dbname=postgres target_session_attrs=read-write
server-key: server-key
certificate: certificate.pem
private-key: private-key.pem
record: $work/record
log-format: json
END
step 0 'cat settings.yaml'
export ATREST_KEYSERVER_CONFIG=$work/settings.yaml

# serve COMMAND…: starts the server, on the same port as before.
serve() {
  steps=$((steps + 1))
  printf '\n$ %s serve --port %s 2>log &\n' "$*" "${port:-0}"
  "$@" serve --port "${port:-0}" 2>log &
  server=$!
  local found=
  for _ in $(seq 200); do
    found=$(sed -n 's/.*"port":"\([0-9]*\)".*/\1/p' log | head -1)
    [ -z "$found" ] || break
    sleep 0.1
  done
  [ -n "$found" ] || fail "the server does not start: $(cat log)"
  port=$found
}
# The process of the server, which faketime may have started.
program() { pgrep -P "$server" || echo "$server"; }
end_server() {
  steps=$((steps + 1))
  printf '\n$ kill -TERM %s\n' "$(program)"
  kill -TERM "$(program)"
  wait "$server" || fail "exit code $? instead of 0"
  server=
}

title "The server, over TLS 1.3"
serve atrest-keyserver
export port
step 0 'curl -sS --noproxy "*" --cacert certificate.pem https://localhost:$port/health'
printed ok

title "An account, and two devices with a code each"
step 0 'atrest-keyserver account create eva >code'
step 0 'atrest-keyserver-client enrol --device laptop --label laptop --host localhost --port $port \
    --trust certificate.pem --code-file code'
step 0 'atrest-keyserver account code eva >code2'
step 0 'atrest-keyserver-client enrol --device phone --label phone --host localhost --port $port \
    --trust certificate.pem --code-file code2'
note "A code is good for one device:"
step 5 'atrest-keyserver-client enrol --device third --host localhost --port $port \
    --trust certificate.pem --code-file code'
step 0 'atrest-keyserver device list'
step 0 "$postgres/pg_dump -h $work/database -U keyserver --clean postgres >older-dump; wc -c <older-dump"

title "A value under a passphrase that cannot be guessed without the server"
echo "correct horse battery staple" >passphrase
echo "a wrong guess" >wrong
echo "IBAN DE89 3704 0044 0532 0130 00" >value
step 0 'atrest-keyserver-client protect --device laptop --set-passphrase --passphrase-file passphrase value sealed'
step 0 'atrest-keyserver-client open --device phone --passphrase-file passphrase sealed'
printed "IBAN DE89"
note "A wrong guess is counted by the server:"
step 5 'atrest-keyserver-client open --device laptop --passphrase-file wrong sealed'
step 0 'atrest-keyserver account list'
printed "attempts 1"
note "The right passphrase resets the count:"
step 0 'atrest-keyserver-client open --device laptop --passphrase-file passphrase sealed >/dev/null'
step 0 'atrest-keyserver account list'
printed "attempts 0"

title "Two devices at once"
step 0 'for round in 1 2 3; do
    for device in laptop phone; do
      atrest-keyserver-client open --device $device --passphrase-file passphrase sealed >$device.out & jobs="$jobs $!"
    done
  done
  for job in $jobs; do wait $job || exit; done; cat laptop.out phone.out'
printed "IBAN DE89"

title "A clock that ran ahead"
if command -v faketime >/dev/null; then
  note "The laptop's clock is four years ahead, once:"
  step 0 'faketime -f +4y atrest-keyserver-client open --device laptop --passphrase-file passphrase sealed'
  printed "IBAN DE89"
  note "Then it is right, and the laptop goes on from the number that the server names:"
  step 0 'atrest-keyserver-client open --device laptop --passphrase-file passphrase sealed'
  printed "IBAN DE89"
  note "The server's clock is four years ahead while somebody guesses five times:"
  end_server
  serve faketime -f +4y atrest-keyserver
  step 0 'head -1 log'
  printed "\"time\":\"$(faketime -f +4y date -u +%Y)"
  for _ in 1 2 3 4 5; do
    atrest-keyserver-client open --device phone --passphrase-file wrong sealed 2>/dev/null >/dev/null
  done
  step 5 'atrest-keyserver-client open --device phone --passphrase-file passphrase sealed'
  note "Then it is right, and the wait is a minute, not four years:"
  end_server
  serve atrest-keyserver
  step 5 'atrest-keyserver-client open --device phone --passphrase-file passphrase sealed'
  allowed=$(sed -n 's/.*allowed at \(.*Z\)\.$/\1/p' err)
  [ -n "$allowed" ] && [ $(($(date -d "$allowed" +%s) - $(date +%s))) -le 60 ] || fail "the wait is longer"
  step 0 'atrest-keyserver account unlock eva'
  step 0 'atrest-keyserver-client open --device phone --passphrase-file passphrase sealed'
  printed "IBAN DE89"
else
  note "Skipped, because faketime is not installed."
fi

title "A fail-over"
note "A standby that must have each commit before it is answered:"
step 0 "${as_user[*]} $postgres/pg_basebackup -D $work/standby/data -R -c fast --no-sync \\
    -d 'host=$work/database user=keyserver dbname=postgres'"
"${as_user[@]}" tee -a standby/data/postgresql.conf >/dev/null <<END
unix_socket_directories = '$work/standby'
END
steps=$((steps + 1))
printf '\n$ pg_ctl -D standby/data start\n'
postgres_control standby -l "$work/standby/log" start || fail "the standby does not start"
step 0 "$postgres/psql -h $work/database -U keyserver -q postgres \\
    -c \"ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (*)'\" -c 'SELECT pg_reload_conf()' >/dev/null"
note "Two wrong guesses, and then the primary is killed:"
for _ in 1 2; do step 5 'atrest-keyserver-client open --device laptop --passphrase-file wrong sealed'; done
step 0 "kill -9 \$(head -1 database/data/postmaster.pid)"
step 1 'atrest-keyserver-client open --device phone --passphrase-file passphrase sealed'
steps=$((steps + 1))
printf '\n$ pg_ctl -D standby/data promote\n'
postgres_control standby promote || fail "the standby is not promoted"
note "The server goes on with the standby, which has both guesses:"
step 0 'curl -sS --noproxy "*" --cacert certificate.pem https://localhost:$port/health'
printed ok
step 0 'atrest-keyserver account list'
printed "attempts 2"
step 0 'atrest-keyserver-client open --device laptop --passphrase-file passphrase sealed'
printed "IBAN DE89"

title "A device that was lost"
step 0 'atrest-keyserver-client share --device phone --create disk | sha256sum'
step 0 'atrest-keyserver device list --json | grep phone'
step 0 'atrest-keyserver device revoke $(atrest-keyserver device list | sed -n "s/\t.*phone.*//p")'
step 5 'atrest-keyserver-client share --device phone disk'
step 5 'atrest-keyserver-client open --device phone --passphrase-file passphrase sealed'
note "The other device goes on:"
step 0 'atrest-keyserver-client open --device laptop --passphrase-file passphrase sealed'
printed "IBAN DE89"

title "Guesses, until the server makes the guesser wait"
for _ in 1 2 3 4 5; do
  atrest-keyserver-client open --device laptop --passphrase-file wrong sealed 2>/dev/null >/dev/null
done
note "(five wrong guesses)"
step 5 'atrest-keyserver-client open --device laptop --passphrase-file passphrase sealed'
printed "The next one is allowed at"
step 0 'atrest-keyserver account unlock eva'
step 0 'atrest-keyserver-client open --device laptop --passphrase-file passphrase sealed >/dev/null'

title "The operator's view"
step 0 'atrest-keyserver audit'
step 0 'tail -2 log'
step 0 "$postgres/pg_dump -h $work/standby -U keyserver postgres >dump; wc -c <dump"
note "The log and the dump hold neither passphrases nor names:"
step 1 'cat log dump | grep -iwE "horse|eva|laptop|phone|IBAN"'

title "The server ends"
end_server

title "An older dump, in which the device is not revoked"
step 0 "$postgres/psql -h $work/standby -U keyserver -q -o older-log postgres <older-dump"
step 6 'atrest-keyserver serve --port 0'
printed "The database is older than it was"
step 0 'atrest-keyserver device revoke $(atrest-keyserver device list | sed -n "s/\t.*phone.*//p")'
step 0 'atrest-keyserver accept-older'
step 0 'atrest-keyserver audit'
printed "database accepted"

printf '\n%s steps in %s seconds, %s unexpected\n' "$steps" "$SECONDS" "$failures"
[ "$failures" -eq 0 ]
