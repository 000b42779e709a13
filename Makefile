# Everything is built once, in release: the cryptography is C, and slow without the optimiser.
CONFIGURATION := release
SWIFT_BUILD := swift build -c $(CONFIGURATION) --explicit-target-dependency-import-check error

.PHONY: setup build audit demo example example-certificates test test-audit check bench bench-files bench-audit bench-setup torture race fuzz

setup:
	@Scripts/setup.sh

build: setup
	$(SWIFT_BUILD)

# The auditor, a package of its own: what it needs is nothing that users of the libraries should clone.
AUDIT_BUILD := $(SWIFT_BUILD) --package-path Audit
# A build for its tests that shares what it can with the examples, and takes a third of the time.
AUDIT_DEBUG := --package-path Audit --scratch-path .build-debug
AUDIT_PYTHON := $(CURDIR)/Audit/.build/python/bin/python3
audit: setup
	$(AUDIT_BUILD) --product atrest-audit

# The main job on real input, each step with its command.
demo: build
	@Scripts/demo.sh "$$(swift build -c $(CONFIGURATION) --show-bin-path)/atrest"

# A program over the Vault, and code of iOS, each with its tests in a package of its own, as users of
# AtRest have it. One folder for both: AtRest is built once.
example: setup
	swift test --package-path Examples/Bank --scratch-path .build-debug
	swift test --package-path Examples/KeychainLogin --scratch-path .build-debug

# An application beside whose other dependency the module Security needs another name. Not in CI: it
# builds everything once more.
example-certificates: setup
	swift test --package-path Examples/WithCertificates --scratch-path .build-example-certificates

test: setup
	$(SWIFT_BUILD) --build-tests
	swift test -c $(CONFIGURATION) --skip-build
	@Audit/Scripts/setup-tests.sh
	swift build --build-tests --explicit-target-dependency-import-check error $(AUDIT_DEBUG)
	ATREST_PYTHON=$(AUDIT_PYTHON) swift test --skip-build $(AUDIT_DEBUG)
	"$$(swift build --show-bin-path $(AUDIT_DEBUG))/atrest-audit" --fail-on note --strict

# The auditor's tests in release, where those of hostile files take twenty times as many.
test-audit: setup
	@Audit/Scripts/setup-tests.sh
	$(AUDIT_BUILD) --build-tests
	ATREST_PYTHON=$(AUDIT_PYTHON) swift test -c $(CONFIGURATION) --skip-build --package-path Audit

# Format, warnings, documentation.
check: setup
	swift-format lint --strict --recursive Sources Tests Benchmarks Examples Package.swift \
	  Audit/Sources Audit/Tests Audit/Package.swift
	ATREST_STRICT=1 $(SWIFT_BUILD) --build-tests
	Scripts/check-docs.sh

# The long forms of the tests that kill, flip, soak, and search memory (108 runs).
torture: setup
	$(SWIFT_BUILD) --build-tests
	ATREST_TORTURE=full swift test -c $(CONFIGURATION) --skip-build --filter AtRestTortureTests

# RACE_CALLS calls of Keychain Services from eight threads, and a matching number of calls of the
# keychain, of files and of the Vault from as many tasks, under the thread sanitizer.
RACE_CALLS ?= 100000
race: setup
	ATREST_RACE=1 swift build --build-tests --sanitize=thread --scratch-path .build-race
	ATREST_RACE=1 ATREST_RACE_CALLS=$(RACE_CALLS) swift test --skip-build --sanitize=thread \
	  --scratch-path .build-race --filter 'ThreadsTests|ConcurrencyTests'

# Each parser for FUZZ_SECONDS (600), or those in FUZZ_TARGETS alone.
fuzz: setup
	Scripts/fuzz.sh
	FUZZ_PRODUCT=container-fuzz Scripts/fuzz.sh
	FUZZ_PRODUCT=audit-fuzz Scripts/fuzz.sh

# BENCH_ARGUMENTS="--max 100000 --without-peers" takes half a minute, all of it six.
bench: setup
	swift build -c release --package-path Benchmarks --scratch-path .build-bench
	mkdir -p .build-bench/run
	.build-bench/release/AtRestBenchmarks --folder .build-bench/run $(BENCH_ARGUMENTS)

# The auditor beside mobsfscan and SwiftLint, where they are installed.
bench-audit: audit
	Scripts/bench-audit.py "$$($(AUDIT_BUILD) --show-bin-path)/atrest-audit"

# Protected files against age, openssl, gpg and cp. Needs 6 GiB on disk and in memory.
bench-files: build
	swift build -c release --package-path Benchmarks --scratch-path .build-bench
	mkdir -p .build-bench/run
	.build-bench/release/AtRestBenchmarks files --command "$$(swift build -c release --show-bin-path)/atrest" \
	  --folder .build-bench/run $(BENCH_ARGUMENTS)

# What the keychain and protected files are compared with; without them the benchmarks say "not installed".
bench-setup:
	apt-get update
	apt-get install -y --no-install-recommends gnome-keyring libsecret-tools dbus \
	  python3-gi gir1.2-secret-1 pass gnupg age openssl gocryptfs fuse3
