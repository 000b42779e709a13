# Everything is built once, in release, because the cryptography is C and slow without the optimiser.
CONFIGURATION := release
SWIFT_BUILD := swift build -c $(CONFIGURATION) --explicit-target-dependency-import-check error

.PHONY: setup build audit demo example example-certificates install agent test-agent test-agent-user test-command-user soak-agent bench-agent install-agent test test-audit audit-corpus check bench bench-files bench-audit bench-database bench-setup torture race fuzz keyserver test-keyserver torture-keyserver demo-keyserver install-keyserver bench-keyserver soak-keyserver timing-keyserver test-publish

setup:
	@Scripts/setup.sh

build: setup
	$(SWIFT_BUILD)

# The auditor is a package of its own, so users of the libraries do not clone its dependencies.
AUDIT_BUILD := $(SWIFT_BUILD) --package-path Audit
# A build for its tests. It shares modules with the examples, and takes a third of the time.
AUDIT_DEBUG := --package-path Audit --scratch-path .build-debug
AUDIT_PYTHON := $(CURDIR)/Audit/.build/python/bin/python3
audit: setup
	$(AUDIT_BUILD) --product atrest-audit

# The agent is a package of its own, so users of the libraries do not clone SwiftNIO. It shares the modules of
# the build in .build, and atrest-agent is beside atrest there.
AGENT_BUILD := $(SWIFT_BUILD) --package-path Agent --scratch-path .build
# A build for its tests, which shares modules with the examples and the auditor.
AGENT_DEBUG := --package-path Agent --scratch-path .build-debug
agent: setup
	$(AGENT_BUILD) --product atrest-agent

# Its tests run atrest too, and once more as an ordinary user.
test-agent: setup
	@Scripts/setup-tests.sh
	swift build --product atrest --scratch-path .build-debug
	swift build --build-tests --explicit-target-dependency-import-check error $(AGENT_DEBUG)
	swift test --skip-build $(AGENT_DEBUG)
	$(MAKE) test-agent-user

# Runs the agent's tests, which are built, as a user that is made for them. ARGUMENTS may name a --filter.
test-agent-user:
	Scripts/test-as-user.sh "$$(swift build --show-bin-path $(AGENT_DEBUG))/AtRestAgentPackageTests.xctest" \
	  $(ARGUMENTS)

# Has hostile clients beside honest ones, and then every attack at once beside an owner who locks and unlocks
# the store, for five minutes each. `make test-agent` does so for some seconds.
soak-agent: setup agent
	swift build --build-tests $(AGENT_DEBUG)
	ATREST_TEST_AGENT="$$($(AGENT_BUILD) --show-bin-path)/atrest-agent" ATREST_SOAK_SECONDS=300 \
	  swift test --skip-build --no-parallel $(AGENT_DEBUG) --filter SoakTests

# Installs the agent, its manual, and units for systemd's manager of each user. The sockets are enabled: the
# agent starts when a program first needs it, also after a reboot.
install-agent: agent
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/share/man/man1" \
	  "$(DESTDIR)$(PREFIX)/lib/systemd/user/sockets.target.wants"
	install -m 755 "$$($(AGENT_BUILD) --show-bin-path)/atrest-agent" "$(DESTDIR)$(PREFIX)/bin"
	install -m 644 Agent/Man/atrest-agent.1 "$(DESTDIR)$(PREFIX)/share/man/man1"
	install -m 644 Agent/Units/*.socket Agent/Units/*.service \
	  "$(DESTDIR)$(PREFIX)/lib/systemd/user"
	sed -i 's|^ExecStart=|ExecStart=$(PREFIX)/bin/|' \
	  "$(DESTDIR)$(PREFIX)/lib/systemd/user/atrest-agent.service"
	for socket in atrest-agent.socket atrest-agent-ssh.socket; do \
	  ln -sf "../$$socket" "$(DESTDIR)$(PREFIX)/lib/systemd/user/sockets.target.wants/$$socket" || exit 1; \
	done

# Runs the main tasks on real input and prints each command.
demo: build agent
	@Scripts/setup-tests.sh
	@Scripts/demo.sh "$$(swift build -c $(CONFIGURATION) --show-bin-path)/atrest"

# Installs the command, the names under which git, docker and ssh call it, the manual, and the agent.
PREFIX ?= /usr/local
install: build install-agent
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/share/man/man1"
	install -m 755 "$$(swift build -c $(CONFIGURATION) --show-bin-path)/atrest" "$(DESTDIR)$(PREFIX)/bin"
	for name in git-credential-atrest docker-credential-atrest atrest-askpass; do \
	  ln -sf atrest "$(DESTDIR)$(PREFIX)/bin/$$name" || exit 1; \
	done
	install -m 644 Man/atrest.1 "$(DESTDIR)$(PREFIX)/share/man/man1"

# Builds and tests a program over the Vault, unchanged iOS code, and notes in an encrypted database. Each is a package of its own, like a
# user's. They share a build folder, so AtRest is built once. They are built first, because `swift test` may
# run the tests of the package that was built before.
example: setup
	for example in Bank KeychainLogin Notes; do \
	  swift build --build-tests --package-path Examples/$$example --scratch-path .build-debug && \
	  swift test --skip-build --package-path Examples/$$example --scratch-path .build-debug || exit 1; \
	done

# Builds and tests an application with a dependency that requires another name for the module Security.
# CI does not run this, because it builds everything once more.
example-certificates: setup
	swift test --package-path Examples/WithCertificates --scratch-path .build-example-certificates

test: setup
	@Scripts/setup-tests.sh
	$(SWIFT_BUILD) --build-tests
	swift test -c $(CONFIGURATION) --skip-build
	$(MAKE) test-command-user
	Scripts/test-vfs.sh
	@Audit/Scripts/setup-tests.sh
	swift build --build-tests --explicit-target-dependency-import-check error $(AUDIT_DEBUG)
	ATREST_PYTHON=$(AUDIT_PYTHON) swift test --skip-build $(AUDIT_DEBUG)
	"$$(swift build --show-bin-path $(AUDIT_DEBUG))/atrest-audit" --fail-on note --strict
	$(MAKE) test-agent test-keyserver

# Runs the command line's tests, which are built, as an ordinary user.
test-command-user:
	Scripts/test-as-user.sh "$$(swift build -c $(CONFIGURATION) --show-bin-path)/AtRestPackageTests.xctest" \
	  --filter AtRestCommandTests

# Runs the auditor's tests in release, with twenty times as many hostile files.
test-audit: setup
	@Audit/Scripts/setup-tests.sh
	$(AUDIT_BUILD) --build-tests
	ATREST_PYTHON=$(AUDIT_PYTHON) swift test -c $(CONFIGURATION) --skip-build --package-path Audit

# Audits the apps in Audit/Corpus, whose sources are in SOURCES/owner/name at the commit that each file there
# names, and compares the findings with those that were judged.
audit-corpus: setup
	$(AUDIT_BUILD) --product AuditScore
	"$$($(AUDIT_BUILD) --show-bin-path)/AuditScore" Audit/Corpus "$(SOURCES)"

# Checks format, words, sizes, public declarations, warnings and documentation.
check: setup
	swift-format lint --strict --recursive Sources Tests Benchmarks Examples Package.swift \
	  Audit/Sources Audit/Tests Audit/Package.swift Agent/Sources Agent/Tests Agent/Package.swift \
	  KeyServer/Sources KeyServer/Tests KeyServer/Package.swift
	Scripts/check-words.sh
	Scripts/check-claims.sh
	Scripts/check-circles.py
	Scripts/check-interfaces.py
	ATREST_STRICT=1 $(SWIFT_BUILD) --build-tests
	Scripts/check-docs.sh

# Runs the long forms of the tests that kill, flip, soak and search memory (108 runs), and 2,000 steps of the
# life of a store, for which the agent is built too. ATREST_LIFE_SEED and ATREST_LIFE_STEPS repeat a life.
torture: agent
	@Scripts/setup-tests.sh
	$(SWIFT_BUILD) --build-tests
	ATREST_TORTURE=full swift test -c $(CONFIGURATION) --skip-build --filter 'AtRestTortureTests|AtRestDatabase'

# Makes RACE_CALLS calls of Keychain Services from eight threads, and a matching number of calls of the
# keychain, of files and of the Vault from as many tasks, under the thread sanitizer.
RACE_CALLS ?= 100000
race: setup
	ATREST_RACE=1 swift build --build-tests --sanitize=thread --scratch-path .build-race
	ATREST_RACE=1 ATREST_RACE_CALLS=$(RACE_CALLS) swift test --skip-build --sanitize=thread \
	  --scratch-path .build-race --filter 'ThreadsTests|ConcurrencyTests'

# Fuzzes each parser for FUZZ_SECONDS (600), or only those in FUZZ_TARGETS.
fuzz: setup
	Scripts/fuzz.sh
	FUZZ_PRODUCT=agent-fuzz Scripts/fuzz.sh
	FUZZ_PRODUCT=container-fuzz Scripts/fuzz.sh
	FUZZ_PRODUCT=audit-fuzz Scripts/fuzz.sh
	@KeyServer/Scripts/setup.sh
	FUZZ_PRODUCT=keyserver-fuzz Scripts/fuzz.sh

# Shares the modules of the build in .build.
BENCH_BUILD := swift build -c $(CONFIGURATION) --package-path Benchmarks --scratch-path .build
# Measures the keychain. With BENCH_ARGUMENTS="--max 100000 --without-peers" it takes half a minute, otherwise
# six minutes.
bench: setup
	$(BENCH_BUILD)
	mkdir -p .build/bench
	"$$($(BENCH_BUILD) --show-bin-path)/AtRestBenchmarks" --folder .build/bench $(BENCH_ARGUMENTS)

# Measures the agent, and gnome-keyring if it is installed. It takes two minutes.
bench-agent: agent
	$(BENCH_BUILD)
	mkdir -p .build/bench
	"$$($(BENCH_BUILD) --show-bin-path)/AtRestBenchmarks" agent \
	  --program "$$($(AGENT_BUILD) --show-bin-path)/atrest-agent" --folder .build/bench $(BENCH_ARGUMENTS)

# Measures the auditor against mobsfscan and SwiftLint, if they are installed.
bench-audit: audit
	Scripts/bench-audit.py "$$($(AUDIT_BUILD) --show-bin-path)/atrest-audit"

# Measures protected files against age, openssl, gpg and cp. It needs 6 GiB on disk and in memory.
bench-files: build
	$(BENCH_BUILD)
	mkdir -p .build/bench
	"$$($(BENCH_BUILD) --show-bin-path)/AtRestBenchmarks" files --command "$$(swift build -c release --show-bin-path)/atrest" \
	  --folder .build/bench $(BENCH_ARGUMENTS)

# Measures encrypted databases against plain SQLite and SQLCipher, which Scripts/setup-tests.sh installs.
bench-database: setup
	@Scripts/setup-tests.sh
	$(SWIFT_BUILD) --product atrest-database-program
	Scripts/bench-database.py "$$(swift build -c $(CONFIGURATION) --show-bin-path)"

# Installs the peers of the benchmarks. The benchmarks report a peer that is missing as "not installed".
bench-setup:
	apt-get update
	apt-get install -y --no-install-recommends gnome-keyring libsecret-tools dbus \
	  python3-gi gir1.2-secret-1 pass gnupg age openssl gocryptfs fuse3

# The key server is a package of its own, because it needs Hummingbird and libpq. It shares no build folder: its
# dependency swift-certificates asks whether it can import Security, and would find the stand-in of the root package.
KEYSERVER := --package-path KeyServer --scratch-path .build-keyserver
KEYSERVER_BUILD := $(SWIFT_BUILD) $(KEYSERVER)
keyserver: setup
	@KeyServer/Scripts/setup.sh
	$(KEYSERVER_BUILD) --product atrest-keyserver

test-keyserver: setup
	@KeyServer/Scripts/setup.sh
	swift build --build-tests --explicit-target-dependency-import-check error $(KEYSERVER)
	swift test --skip-build $(KEYSERVER)

# Publishes the package to a repository on disk, and builds a program that depends on its client.
test-publish:
	Scripts/test-publish.sh

# Kills the server and its database 500 times each between a count and its answer.
torture-keyserver: setup
	@KeyServer/Scripts/setup.sh
	swift build --build-tests $(KEYSERVER)
	ATREST_TORTURE=full swift test --skip-build $(KEYSERVER) --filter KillTests

# Starts PostgreSQL and the key server in a temporary folder, and prints each command of its main tasks.
demo-keyserver: keyserver
	$(KEYSERVER_BUILD) --product atrest-keyserver-client
	@Scripts/demo-keyserver.sh "$$($(KEYSERVER_BUILD) --show-bin-path)"

# Installs the key server, its manual, a unit for systemd, and examples of settings.
install-keyserver: keyserver
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/share/man/man1" \
	  "$(DESTDIR)$(PREFIX)/lib/systemd/system" "$(DESTDIR)$(PREFIX)/share/doc/atrest-keyserver"
	install -m 755 "$$($(KEYSERVER_BUILD) --show-bin-path)/atrest-keyserver" "$(DESTDIR)$(PREFIX)/bin"
	install -m 644 KeyServer/Man/atrest-keyserver.1 "$(DESTDIR)$(PREFIX)/share/man/man1"
	install -m 644 KeyServer/Units/*.service "$(DESTDIR)$(PREFIX)/lib/systemd/system"
	install -m 644 KeyServer/Deploy/* "$(DESTDIR)$(PREFIX)/share/doc/atrest-keyserver"

# Measures the key server over TLS with a PostgreSQL of its own. bench-keyserver compares with what PostgreSQL alone
# does, soak-keyserver runs the same load for BENCH_SECONDS (600) and records the server's memory, and
# timing-keyserver compares accounts that exist with those that do not. CI runs none of them.
bench-keyserver soak-keyserver timing-keyserver: setup
	@KeyServer/Scripts/setup.sh
	$(KEYSERVER_BUILD) --product AtRestKeyServerBenchmarks
	KeyServer/Scripts/bench.sh "$$($(KEYSERVER_BUILD) --show-bin-path)/AtRestKeyServerBenchmarks" \
	  $(patsubst bench,load,$(@:-keyserver=))
