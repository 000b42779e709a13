# The libraries and the command, and what concerns all packages. Agent, Audit and KeyServer have a Makefile each.
include Scripts/package.mk

.PHONY: setup build build-tests test test-libraries test-programs test-quick test-command-user check lint bench \
  bench-files bench-database bench-setup fuzz install install-command demo example example-certificates torture race \
  release test-release test-reproducible test-workflows test-publish agent test-agent test-agent-user soak-agent \
  bench-agent install-agent audit test-audit audit-corpus bench-audit install-audit keyserver test-keyserver \
  model-keyserver torture-keyserver demo-keyserver bench-keyserver soak-keyserver timing-keyserver install-keyserver

setup:
	@Scripts/setup.sh

build: setup
	$(SWIFT_BUILD)

# The other packages, each with the verbs build, test, bench, fuzz and install.
audit:
	$(MAKE) -C Audit build

agent:
	$(MAKE) -C Agent build

keyserver:
	$(MAKE) -C KeyServer build

test-agent:
	$(MAKE) -C Agent test

test-keyserver:
	$(MAKE) -C KeyServer test

bench-agent:
	$(MAKE) -C Agent bench

bench-audit:
	$(MAKE) -C Audit bench

bench-keyserver:
	$(MAKE) -C KeyServer bench

install-agent:
	$(MAKE) -C Agent install

install-audit:
	$(MAKE) -C Audit install

install-keyserver:
	$(MAKE) -C KeyServer install

# What only one of them has is described in its Makefile.
test-agent-user:
	$(MAKE) -C Agent test-user

soak-agent:
	$(MAKE) -C Agent soak

test-audit:
	$(MAKE) -C Audit torture

audit-corpus:
	$(MAKE) -C Audit corpus SOURCES='$(abspath $(SOURCES))'

model-keyserver:
	$(MAKE) -C KeyServer model

torture-keyserver:
	$(MAKE) -C KeyServer torture

demo-keyserver:
	$(MAKE) -C KeyServer demo

soak-keyserver:
	$(MAKE) -C KeyServer soak

timing-keyserver:
	$(MAKE) -C KeyServer timing

# Runs the main tasks on real input and prints each command.
demo: setup
	$(call build,atrest)
	$(MAKE) -C Agent build
	@Scripts/setup-tests.sh
	@Scripts/demo.sh $(BIN)/atrest

# Installs the command, the names under which git, docker and ssh call it, SQLite's extension, and the agent.
install: install-command install-agent
install-command: setup
	$(call build,atrest)
	$(call build,atrest_vfs)
	$(call install_program,atrest)
	for name in git-credential-atrest docker-credential-atrest atrest-askpass; do \
	  ln -sf atrest "$(DESTDIR)$(PREFIX)/bin/$$name" && ln -sf atrest.1 "$(SHARE)/man/man1/$$name.1" || exit 1; \
	done
	install -d "$(DESTDIR)$(PREFIX)/lib/atrest"
	$(INSTALL_PROGRAM) "$(BIN)/libatrest_vfs.so" "$(DESTDIR)$(PREFIX)/lib/atrest"

# Makes the files of a release in dist, from a checkout without changes: see RELEASING.md.
release: setup
	@Scripts/release/setup.sh
	Scripts/release/release.sh

# Runs the steps of the GitHub action, and the jobs and the hook to copy, as scripts on clones without history. It builds
# the auditor. `release` in WORKFLOWS needs `make release` before.
WORKFLOWS ?= audit copied gitlab hook
test-workflows:
	@Scripts/release/setup.sh
	Scripts/test-workflows.py $(WORKFLOWS)

# Installs, uses and removes what `make release` made, in a Debian without a compiler.
test-release:
	@Scripts/release/setup.sh
	Scripts/release/test.sh

# Makes the release once more in another folder, and compares the bytes of its files.
test-reproducible:
	Scripts/release/reproduce.py

# Builds and tests a program over the Vault, unchanged iOS code, and notes in an encrypted database. Each is a
# package of its own, like a user's. They share a build folder, so AtRest is built once. They are built first,
# because `swift test` may run the tests of the package that was built before.
example: setup
	for example in Bank KeychainLogin Notes SignIn; do \
	  $(call forget_plan,.build-debug) \
	  swift build --build-tests --package-path Examples/$$example --scratch-path .build-debug && \
	  swift test --skip-build --package-path Examples/$$example --scratch-path .build-debug || exit 1; \
	done

# Builds and tests an application with a dependency that requires another name for the module Security.
# CI does not run this, because it builds everything once more.
example-certificates: setup
	swift test --package-path Examples/WithCertificates --scratch-path .build-example-certificates

# Builds the tests of the auditor, the agent and the key server.
build-tests:
	for package in Audit Agent KeyServer; do $(MAKE) -C $$package build-tests || exit 1; done

test: setup
	@Scripts/setup-tests.sh
	$(SWIFT_BUILD) --build-tests
	$(MAKE) test-libraries test-programs
	Scripts/test-vfs.sh
	$(MAKE) -C Audit test
	$(MAKE) test-agent test-keyserver

# The tests, which are built: those of the libraries and of the command line, and those that run other programs.
PROGRAM_TESTS := AtRestTortureTests|AtRestTPMTests|AtRestDatabaseInteroperationTests
QUICK_SKIP := AtRestCommandTests|$(PROGRAM_TESTS)
test-libraries:
	swift test -c $(CONFIGURATION) --skip-build --skip '$(QUICK_SKIP)'
	$(MAKE) test-command-user

test-programs:
	$(BIN)/AtRestPackageTests.xctest --testing-library swift-testing --filter '$(PROGRAM_TESTS)'

# Runs the command line's tests, which are built, as an ordinary user, and then as root, if that is who runs this, those
# that need it.
NEED_ROOT := OtherUserTests|TimeNamespaceTests|aRekeyThatCannotKeepTheOwnerIsRefused
test-command-user:
	Scripts/test-as-user.sh $(BIN)/AtRestPackageTests.xctest --filter AtRestCommandTests
	[ "$$(id -u)" != 0 ] || \
	  $(BIN)/AtRestPackageTests.xctest --testing-library swift-testing --filter '$(NEED_ROOT)'

# What to run before a commit: the tests of the libraries, and the checks of format, words and sizes. It leaves out the
# tests that run the command line, kill processes, use a TPM or the databases of other programs, and those of the auditor, the
# agent and the key server.
test-quick: lint
	$(SWIFT_BUILD) --build-tests
	swift test -c $(CONFIGURATION) --skip-build --skip '$(QUICK_SKIP)'

# Checks format, words, sizes, public declarations, warnings and documentation.
check: setup lint
	ATREST_STRICT=1 $(SWIFT_BUILD) --build-tests
	Scripts/check-docs.sh

# Checks what needs no build.
lint:
	swift-format lint --strict --parallel --recursive Sources Tests Benchmarks Examples Package.swift \
	  Audit/Sources Audit/Tests Audit/Package.swift Agent/Sources Agent/Tests Agent/Package.swift \
	  KeyServer/Sources KeyServer/Tests KeyServer/Package.swift
	Scripts/check-words.sh
	Scripts/check-claims.sh
	Scripts/check-circles.py
	Scripts/check-interfaces.py

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
	for package in Agent Audit KeyServer; do $(MAKE) -C $$package fuzz || exit 1; done

# Shares the modules of the build in .build.
BENCH_BUILD = $(call forget_plan,.build) swift build -c $(CONFIGURATION) --package-path Benchmarks --scratch-path .build
# Measures the keychain. With BENCH_ARGUMENTS="--max 100000 --without-peers" it takes half a minute, otherwise
# six minutes.
bench: setup
	$(BENCH_BUILD)
	mkdir -p .build/bench
	$(BIN)/AtRestBenchmarks $(BENCH_COMMAND) --folder .build/bench $(BENCH_ARGUMENTS)

# Measures protected files against age, openssl, gpg and cp. It needs 6 GiB on disk and in memory.
bench-files: build
	$(BENCH_BUILD)
	mkdir -p .build/bench
	$(BIN)/AtRestBenchmarks files --command $(BIN)/atrest \
	  --folder .build/bench $(BENCH_ARGUMENTS)

# Measures encrypted databases against plain SQLite and SQLCipher, which Scripts/setup-tests.sh installs.
bench-database: setup
	@Scripts/setup-tests.sh
	$(SWIFT_BUILD) --product atrest-database-program
	Scripts/bench-database.py $(BIN)

# Installs the peers of the benchmarks. The benchmarks report a peer that is missing as "not installed".
bench-setup:
	apt-get update
	apt-get install -y --no-install-recommends gnome-keyring libsecret-tools dbus \
	  python3-gi gir1.2-secret-1 pass gnupg age openssl gocryptfs fuse3

# Publishes the package to a repository on disk, and builds a program that depends on its client.
test-publish:
	Scripts/test-publish.sh
