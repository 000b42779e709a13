#!/bin/bash
# Runs the main tasks of atrest on a store of its own. Each step prints its command and checks its result.
# Usage: Scripts/demo.sh path-to-atrest
set -uo pipefail
# Without a terminal, on which commands would ask for the passcode, or need no grant of the agent.
if [ -z "${ATREST_DEMO:-}" ] && command -v setsid >/dev/null; then
  ATREST_DEMO=1 exec setsid -w "$0" "$@"
fi

binary=${1:?usage: Scripts/demo.sh path-to-atrest}
scripts=$(realpath "$(dirname "$0")")
export python
python=$(realpath "$(dirname "$0")/..")/.build/python/bin/python3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" && ln -s "$(realpath "$binary")" "$work/bin/atrest"
export PATH="$work/bin:$PATH"
cd "$work" || exit 1
export ATREST_STORE=$work/phone/store ATREST_DEVICE=$work/phone/device
unset XDG_DATA_HOME
steps=0 failures=0
SECONDS=0

# shellcheck source=Scripts/demo-steps.sh
. "$scripts/demo-steps.sh"

# printed TEXT: checks that the last step printed exactly this text.
printed() { [ "$(cat out)" = "$1" ] || fail "the expected output is: $1"; }

# Rows are changed directly in the database, as a thief with the file would do.
if command -v sqlite3 >/dev/null; then
  sql() { sqlite3 "$ATREST_STORE/keychain.db" "$1"; }
elif command -v python3 >/dev/null; then
  sql() {
    python3 -c 'import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as db:
  for row in db.executescript(sys.argv[2]) if ";" in sys.argv[2] else db.execute(sys.argv[2]):
    print(*row, sep="|")' "$ATREST_STORE/keychain.db" "$1"
  }
else
  echo "make demo needs sqlite3 or python3 to tamper with rows: apt-get install sqlite3" >&2
  exit 1
fi
# flip FILE COPY: copies a file with its last byte changed.
flip() {
  local last
  last=$(tail -c1 "$1" | od -An -tu1)
  { head -c -1 "$1" && printf "\\x$(printf %02x $((last ^ 1)))"; } >"$2"
}
tamper() {
  steps=$((steps + 1))
  printf '\n$ sqlite3 keychain.db "%s"\n' "$1"
  sql "$1" || fail "the row could not be changed"
}

title "A store with a passcode"
echo "correct horse battery staple" >passcode
echo "wrong" >wrong
echo "a passphrase for backups" >passphrase
step 0 'atrest init --passcode-file passcode'
step 0 'atrest status'

title "Items of several kinds"
step 0 'printf %s hunter2-secret | atrest add --service mail.example --account eva-lovelace --label "Eva mail" --passcode-file passcode'
step 0 'printf %s swapped-secret | atrest add --service chat.example --account eva-lovelace --passcode-file passcode'
step 0 'printf %s web-secret | atrest add --server shop.example --account adam --protocol https --port 8443 --group family --passcode-file passcode'
step 0 'printf %s bound-secret | atrest add --service bank.example --account eva-lovelace --accessible when-unlocked-this-device-only --passcode-file passcode'
step 0 'printf %s job-secret | atrest add --service backup-job --account cron --accessible after-first-unlock --passcode-file passcode'
step 0 'printf %s beacon-secret | atrest add --service beacon --account device --accessible always --no-unlock'
step 0 'atrest search mail --passcode-file passcode'
step 3 'atrest search no-such-text --passcode-file passcode'
echo "application word" >word
step 0 'printf %s vault-secret | atrest add --service vault --account eva-lovelace --application-password-file word --passcode-file passcode'
step 0 'atrest keygen --tag release --label "Signs releases" --passcode-file passcode'

title "Reading them"
step 0 'atrest list --passcode-file passcode'
note "the item with the application password could match, so this is not \"not found\":"
step 5 'atrest search no-such-text --passcode-file passcode'
step 0 'atrest generate --words 6'
step 0 'atrest get --service mail.example --account eva-lovelace --passcode-file passcode'
printed hunter2-secret
step 0 'atrest get --service vault --account eva-lovelace --application-password-file word --passcode-file passcode'
printed vault-secret
step 5 'atrest get --service vault --account eva-lovelace --application-password-file wrong --passcode-file passcode'
echo "release notes" >notes.txt
step 0 'atrest sign --tag release --passcode-file passcode notes.txt > notes.sig'
step 0 'atrest verify --tag release --passcode-file passcode --signature-file notes.sig notes.txt'
printed valid
step 5 'atrest get --tag release --passcode-file passcode'

title "Secrets for other programs"
step 0 'MAIL=atrest://mail.example/eva-lovelace atrest run --passcode-file passcode -- sh -c "echo password \$MAIL; printf %s \$MAIL | wc -c"'
printed "$(printf 'password [withheld]\n14')"
step 4 'MAIL=atrest://mail.example/eva-lovelace atrest run -- env'
if command -v git >/dev/null; then
  ln -s atrest "$work/bin/git-credential-atrest"
  export GIT_CONFIG_GLOBAL=$work/gitconfig GIT_TERMINAL_PROMPT=0
  step 0 'git config --global credential.helper "atrest --passcode-file $PWD/passcode"'
  step 0 'printf "protocol=https\nhost=git.example\nusername=eva\npassword=git-secret\n" | git credential approve'
  step 0 'printf "protocol=https\nhost=git.example\n" | git credential fill | grep password'
  printed password=git-secret
fi
step 0 'printf %s aws-secret | atrest add --service aws --account AKIAEXAMPLE --passcode-file passcode'
step 0 'atrest credential aws AKIAEXAMPLE --passcode-file passcode'

binary_agent=$(dirname "$binary")/atrest-agent
if [ -x "$binary_agent" ]; then
  title "One lock state for all programs"
  ln -s "$(realpath "$binary_agent")" "$work/bin/atrest-agent"
  # A program that asks. It gets the question on its standard input, and says yes.
  printf '#!/bin/sh\ncat >question\n' >"$work/bin/ask"
  chmod +x "$work/bin/ask"
  note 'atrest-agent --socket run/agent --ssh-socket run/ssh --ask $PWD/bin/ask &'
  atrest-agent --socket "$work/run/agent" --ssh-socket "$work/run/ssh" --ask "$work/bin/ask" \
    --log "$work" 2>/dev/null &
  agent=$!
  for _ in {1..500}; do [ -S run/ssh ] && break; sleep 0.02; done
  step 4 'atrest get --service mail.example --account eva-lovelace'
  step 0 'atrest unlock --passcode-file passcode'
  step 0 'atrest get --service mail.example --account eva-lovelace'
  printed hunter2-secret
  step 0 'grep -o "Another program.*" question'
  printed 'Another program of yours could produce it.'
  step 0 'atrest grant add --every-program --group atrest --group ssh --write --passcode-file passcode'
  step 0 'atrest status | grep -o "Agent:      unlocked"'
  printed 'Agent:      unlocked'
  if command -v git >/dev/null; then
    helper='git -c credential.helper= -c credential.helper=atrest credential'
    step 0 "printf 'protocol=https\nhost=git.example\n' | $helper fill | grep password"
    printed password=git-secret
    step 0 "printf 'protocol=https\nhost=new.example\nusername=eva\npassword=new-secret\n' | $helper approve"
    step 0 "printf 'protocol=https\nhost=new.example\n' | $helper fill | grep password"
    printed password=new-secret
    step 0 "printf 'protocol=https\nhost=new.example\nusername=eva\n' | $helper reject"
    # Other groups are not granted, so the agent does not say that there is no such item.
    step 5 'atrest get --server new.example --account eva --protocol https'
    step 0 'atrest lock'
    step 128 "printf 'protocol=https\nhost=git.example\n' | $helper fill"
    step 0 'atrest unlock --passcode-file passcode'
  fi
  if command -v ssh-keygen >/dev/null; then
    export SSH_AUTH_SOCK=$work/run/ssh
    step 0 'atrest keygen --tag work --group ssh --algorithm ed25519 --passcode-file passcode'
    step 0 'ssh-add -L | tee work.pub | cut -d" " -f1,3'
    printed 'ssh-ed25519 work'
    step 0 'ssh-keygen -q -Y sign -n file -f work.pub notes.txt && ssh-keygen -Y check-novalidate -n file -s notes.txt.sig <notes.txt | cut -d" " -f1'
    printed Good
  fi
  step 0 'atrest lock'
  step 4 'atrest get --service mail.example --account eva-lovelace'
  step 0 'atrest log --count 5 | cut -c23-80'
  kill "$agent"
  wait "$agent"
  rm -f notes.txt.sig work.pub question
fi

title "Files that stay readable, and a check that they are unchanged"
step 0 'atrest stamp notes.txt --passcode-file passcode'
printed notes.txt.stamp
step 0 'atrest check notes.txt --passcode-file passcode'
printed "unchanged notes.txt"
step 0 'echo "and a line more" >>notes.txt'
step 6 'atrest check notes.txt --passcode-file passcode'
mkdir -p dist/bin && echo tool >dist/bin/tool && echo readme >dist/readme
step 0 'atrest stamp --tag release dist --passcode-file passcode'
step 0 'atrest public-key --tag release --passcode-file passcode >release.pem'
note "with only the public key, and without a store:"
step 0 'atrest check --store /nowhere --public-key-file release.pem dist'
printed "unchanged dist"
step 0 'chmod 4755 dist/bin/tool; rm dist/readme; echo new >dist/new'
step 6 'atrest check --store /nowhere --public-key-file release.pem dist'
printed "$(printf 'A dist/new\nR dist/readme\nM dist/bin/tool\tpermissions')"
step 0 'atrest stamp --append release.pem --passcode-file passcode'
step 0 'atrest check release.pem --passcode-file passcode'
step 0 'sed -i s/BEGIN/began/ release.pem'
step 6 'atrest check release.pem --passcode-file passcode'

title "Files: protect, inspect, open"
printf 'Meet at the old mill. plain-words\n' >letter.txt
step 0 'atrest protect --passcode-file passcode letter.txt'
step 0 'atrest inspect letter.txt.protected'
step 1 'grep -c plain-words letter.txt.protected'
step 0 'atrest unprotect -o - --passcode-file passcode letter.txt.protected'
printed 'Meet at the old mill. plain-words'
step 4 'atrest unprotect -o - --no-unlock letter.txt.protected'
step 5 'atrest unprotect -o - --passcode-file wrong letter.txt.protected'
note "written while locked, and read after an unlock:"
step 4 'atrest protect --class complete --no-unlock -o locked letter.txt'
step 0 'atrest protect --class complete-unless-open --no-unlock -o locked letter.txt'
step 4 'atrest unprotect -o - --no-unlock locked'
step 0 'atrest unprotect -o - --passcode-file passcode locked'
note "one byte flipped, one byte cut off:"
flip letter.txt.protected flipped
step 6 'atrest unprotect -o nothing --passcode-file passcode flipped'
step 6 'head -c -1 letter.txt.protected > cut && atrest unprotect -o nothing --passcode-file passcode cut'
step 2 'ls nothing'

title "Files without a store"
step 0 'atrest protect --passphrase-file passphrase -o phrase.protected letter.txt'
step 2 'echo Sophie14071989 > birthday && atrest protect --passphrase-file birthday -o weak.protected letter.txt'
step 0 'atrest protect --accept-weak-passphrase --passphrase-file birthday -o weak.protected letter.txt'
step 2 'atrest backup weak.backup --passphrase-file birthday --passcode-file passcode'
step 5 'atrest unprotect -o - --passphrase-file wrong phrase.protected'
step 0 'atrest unprotect -o - --passphrase-file passphrase phrase.protected'
step 0 'atrest keygen --tag letters --algorithm x25519 --passcode-file passcode > letters.pem'
step 0 'tar c letter.txt notes.txt | atrest protect --recipient letters.pem - > letters.tar.protected'
step 5 'atrest unprotect -o - letters.tar.protected'
step 0 'atrest unprotect -o - --key-tag letters --passcode-file passcode letters.tar.protected | tar t'
step 0 'atrest rewrap --class none --passphrase-file passphrase phrase.protected'
step 0 'atrest unprotect -o - phrase.protected'
printed 'Meet at the old mill. plain-words'

title "A folder, protected and opened again"
mkdir -p papers/old && cp letter.txt papers/ && cp notes.txt papers/old/ && ln -s ../letter.txt papers/link
step 0 'atrest protect --remove --passcode-file passcode papers && find papers | sort'
step 0 'atrest unprotect --remove --passcode-file passcode papers && find papers | sort && cmp letter.txt papers/letter.txt'
step 1 'atrest inspect letter.txt'

title "An encrypted database"
step 0 "echo \"CREATE TABLE note AS SELECT 'Buy milk' AS text\" | atrest database shell --new --passphrase-file passphrase notes.db"
step 0 "atrest database shell --passphrase-file passphrase notes.db 'SELECT * FROM note'"
printed 'Buy milk'
step 1 'grep -a -e milk -e SQLite notes.db'
step 0 'atrest database verify --passphrase-file passphrase notes.db'
step 5 "atrest database shell --passphrase-file wrong notes.db 'SELECT * FROM note'"
note "SQLite does not open the file:"
step 1 'python3 -c "import sqlite3; sqlite3.connect(\"notes.db\").execute(\"SELECT * FROM note\")" 2>&1 | tail -1'
if "$python" -c 'import sqlcipher3' 2>err; then
  note "and SQLCipher opens it:"
  cat >open.py <<'END'
from sqlcipher3 import dbapi2
database = dbapi2.connect("notes.db")
database.execute('PRAGMA key = "%s"' % open("passphrase").read().rstrip("\n"))
print(*database.execute("SELECT * FROM note").fetchone())
END
  step 0 'cat open.py; "$python" open.py'
  grep -qx "Buy milk" out || fail "SQLCipher finds another row"
else
  note "SQLCipher for Python is missing; Scripts/setup-tests.sh installs it"
fi

title "A database whose passphrase changes"
printf %s 'otter under 9 iron lids' >other
step 0 'echo "CREATE TABLE note AS SELECT 7 AS number" | atrest database shell --new --key-file kept.key --passphrase-file passphrase kept.db'
step 0 'atrest database passphrase --passphrase-file passphrase --new-passphrase-file other kept.key'
step 5 'atrest database shell --key-file kept.key --passphrase-file passphrase kept.db "SELECT * FROM note"'
step 0 'atrest database shell --key-file kept.key --passphrase-file other kept.db "SELECT * FROM note"'
printed 7

title "Key material, masked in Swift source"
step 0 'printf %s half-of-the-key | atrest obfuscate --name partialSecret | tee Partial.swift'
step 1 'grep -a half-of-the-key Partial.swift'

title "A search of the files for names and secrets"
step 1 'grep -rla -e hunter2 -e eva-lovelace -e mail.example -e "Eva mail" -e family -e release "$ATREST_STORE" "$ATREST_DEVICE"'
note "no file contains an account, service, label, group or secret; the same search in a plain file:"
printf 'mail.example eva-lovelace hunter2-secret\n' >plain.txt
step 0 'grep -la -e hunter2 -e eva-lovelace -e mail.example plain.txt'

title "A wrong passcode, and a locked read"
step 5 'atrest get --service mail.example --account eva-lovelace --passcode-file wrong'
step 4 'atrest get --service mail.example --account eva-lovelace --no-unlock'
step 0 'atrest get --service beacon --account device --no-unlock'
printed beacon-secret
step 3 'atrest get --service mail.example --account nobody --passcode-file passcode'

title "Two rows swapped"
cp -r "$ATREST_STORE" intact
mail=$(sql 'SELECT min(id) FROM item')
chat=$(sql "SELECT min(id) FROM item WHERE id > $mail")
tamper "CREATE TEMP TABLE t AS SELECT id, key, secret FROM item; UPDATE item SET key = (SELECT key FROM t WHERE id = $mail), secret = (SELECT secret FROM t WHERE id = $mail) WHERE id = $chat; UPDATE item SET key = (SELECT key FROM t WHERE id = $chat), secret = (SELECT secret FROM t WHERE id = $chat) WHERE id = $mail;"
step 6 'atrest get --service mail.example --account eva-lovelace --passcode-file passcode'
step 6 'atrest get --service chat.example --account eva-lovelace --passcode-file passcode'
step 0 'atrest get --server shop.example --account adam --protocol https --port 8443 --passcode-file passcode'
printed web-secret
step 6 'atrest status --verify --passcode-file passcode | grep -A9 Verified'
note "after the rows are put back as they were:"
rm -rf "$ATREST_STORE" && cp -r intact "$ATREST_STORE"
step 0 'atrest get --service mail.example --account eva-lovelace --passcode-file passcode'
printed hunter2-secret

title "A row that is put back to its older version"
tamper "ATTACH 'old.db' AS kept; CREATE TABLE kept.item AS SELECT * FROM main.item WHERE id = $mail;"
step 0 'printf %s new-secret | atrest update --service mail.example --account eva-lovelace --secret --passcode-file passcode'
tamper "ATTACH 'old.db' AS kept; DELETE FROM main.item WHERE id = $mail; INSERT INTO main.item SELECT * FROM kept.item;"
step 6 'atrest get --service mail.example --account eva-lovelace --passcode-file passcode'
step 0 'printf %s new-secret | atrest add --replace --service mail.example --account eva-lovelace --passcode-file passcode'
step 0 'atrest get --service mail.example --account eva-lovelace --passcode-file passcode'
printed new-secret

title "A whole store that is put back to an older state"
cp -r "$ATREST_STORE" present
rm -rf "$ATREST_STORE" && cp -r intact "$ATREST_STORE"
step 6 'atrest get --service mail.example --account eva-lovelace --passcode-file passcode'
rm -rf "$ATREST_STORE" && cp -r present "$ATREST_STORE"

title "A backup, and another device"
step 0 'atrest delete --service vault --account eva-lovelace --passcode-file passcode'
for class in complete complete-unless-open complete-until-first-authentication none; do
  echo "of class $class" >"$class"
  step 0 "atrest protect --class $class --remove $class --passcode-file passcode"
done
step 0 'openssl genpkey -algorithm X25519 -out recovery-key.pem && openssl pkey -in recovery-key.pem -pubout -out recovery.pem'
echo diary >diary
step 0 'atrest protect --class complete --recipient recovery.pem --remove diary --passcode-file passcode'
step 0 'atrest backup phone.backup --passphrase-file passphrase --passcode-file passcode'
phone_store=$ATREST_STORE phone_device=$ATREST_DEVICE
export ATREST_STORE=$work/laptop/store ATREST_DEVICE=$work/laptop/device
step 0 'atrest init --passcode-file passcode'
step 5 'atrest restore phone.backup --passphrase-file wrong --passcode-file passcode'
step 5 'atrest unprotect -o - none.protected'
step 0 'atrest restore phone.backup --passphrase-file passphrase --passcode-file passcode'
grep -q "left out:.*bank.example" err || fail "restore does not name what it left out"
step 0 'atrest get --service mail.example --account eva-lovelace --passcode-file passcode'
printed new-secret
note "the item that is bound to the first device is not restored:"
step 3 'atrest get --service bank.example --account eva-lovelace --passcode-file passcode'
note "protected files of the first device open here, in their classes:"
for class in complete complete-unless-open complete-until-first-authentication none; do
  step 0 "atrest unprotect -o - $class.protected --passcode-file passcode"
  printed "of class $class"
done
step 4 'atrest unprotect -o - --no-unlock complete.protected'
step 0 'atrest rewrap --class complete --passcode-file passcode complete.protected'
note "a second way in needs no store:"
step 0 'atrest unprotect -o - --store nowhere --identity recovery-key.pem diary.protected'
printed diary
note "and a copy of the first device's store does not open here:"
cp -r "$phone_store" "$work/laptop/stolen"
step 6 'atrest status --store laptop/stolen'

title "A store without a passcode"
step 0 'atrest init --no-passcode --store tablet/store --device tablet/device'
step 0 'printf %s hunter3 | atrest add --service mail --account eva --store tablet/store --device tablet/device'
grep -q "^atrest: No passcode is set" err || fail "add does not say that no passcode is set"
step 0 'printf %s hunter4 | atrest add --service mail --account ada --store tablet/store --device tablet/device'
[ ! -s err ] || fail "add says it more than once a day"

title "A wipe"
export ATREST_STORE=$phone_store ATREST_DEVICE=$phone_device
if [ -x "$binary_agent" ]; then
  note 'atrest-agent --socket run/agent --ssh-socket run/ssh &    # it has a grant from before'
  atrest-agent --socket "$work/run/agent" --ssh-socket "$work/run/ssh" --log "$work" 2>/dev/null &
  agent=$!
  for _ in {1..500}; do [ -S run/ssh ] && break; sleep 0.02; done
  step 0 'atrest unlock --passcode-file passcode'
  step 0 'atrest get --service mail.example --account eva-lovelace'
fi
step 0 'atrest wipe --yes'
if [ -x "$binary_agent" ]; then
  note "the agent that was running gives out nothing any more:"
  step 3 'atrest get --service mail.example --account eva-lovelace'
  step 0 '[ ! -e "$ATREST_STORE/keychain.db" ] && echo "no new database"'
  kill "$agent" 2>/dev/null
  wait "$agent"
fi
step 3 'atrest get --service mail.example --account eva-lovelace --passcode-file passcode'
note "nor with copies of the database and the keybag that were made before:"
mkdir -p "$ATREST_STORE" && cp present/keybag present/keychain.db "$ATREST_STORE/"
step 1 'atrest get --service mail.example --account eva-lovelace --passcode-file passcode'

printf '\n%s steps in %s s, %s unexpected.\n' "$steps" "$SECONDS" "$failures"
[ "$failures" -eq 0 ]
