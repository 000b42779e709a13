# What the Makefiles of all packages share. Each of them has the five verbs build, test, bench, fuzz and install.
ROOT := $(abspath $(dir $(lastword $(MAKEFILE_LIST)))/..)
PACKAGE := $(CURDIR)

# Everything is built in release, because the cryptography is C and slow without the optimiser.
CONFIGURATION := release
# `make release` sets a folder and options of its own.
SCRATCH := $(ROOT)/.build
BUILD_OPTIONS :=
# Packages take turns in a build folder, and SwiftPM may take the plan of another one for its own, so plans are not kept.
forget_plan = rm -f $(1)/debug.yaml $(1)/release.yaml $(1)/plugin-tools.yaml &&
SWIFT_BUILD = $(call forget_plan,$(SCRATCH)) swift build -c $(CONFIGURATION) --explicit-target-dependency-import-check error \
  --package-path $(PACKAGE) --scratch-path $(SCRATCH) $(BUILD_OPTIONS)
BIN = $(SCRATCH)/$(CONFIGURATION)
# A debug build for tests. All packages but the key server's share its modules.
DEBUG_SCRATCH := $(ROOT)/.build-debug
DEBUG = --package-path $(PACKAGE) --scratch-path $(DEBUG_SCRATCH)
DEBUG_BIN = $(DEBUG_SCRATCH)/debug
DEBUG_BUILD = $(call forget_plan,$(DEBUG_SCRATCH)) swift build --explicit-target-dependency-import-check error $(DEBUG)

# $(call build,PRODUCT) builds a product. With MAPS, the linker writes into this folder what it put into it. With
# RELEASE_COMMIT, a program has a build ID of this text and its name, and not of what is stripped later.
build = $(SWIFT_BUILD) --product $(1) $(if $(MAPS),-Xlinker -Map=$(MAPS)/$(1).map) $(if $(RELEASE_COMMIT),-Xlinker \
  --build-id=0x$$(printf '%s' '$(RELEASE_COMMIT) $(1)' | sha1sum | cut -c1-40))

PREFIX ?= /usr/local
INSTALL_PROGRAM ?= install -m 755
SHARE = $(DESTDIR)$(PREFIX)/share

# $(call install_program,NAME) installs a program, its manual and its completions for three shells.
define install_program
install -d "$(DESTDIR)$(PREFIX)/bin" "$(SHARE)/man/man1" "$(SHARE)/bash-completion/completions" \
  "$(SHARE)/zsh/vendor-completions" "$(SHARE)/fish/vendor_completions.d"
$(INSTALL_PROGRAM) "$(BIN)/$(1)" "$(DESTDIR)$(PREFIX)/bin/$(1)"
install -m 644 "$(PACKAGE)/Man/$(1).1" "$(SHARE)/man/man1"
"$(BIN)/$(1)" --generate-completion-script bash | sed '1{/^#!/d}' >"$(SHARE)/bash-completion/completions/$(1)"
"$(BIN)/$(1)" --generate-completion-script zsh >"$(SHARE)/zsh/vendor-completions/_$(1)"
"$(BIN)/$(1)" --generate-completion-script fish >"$(SHARE)/fish/vendor_completions.d/$(1).fish"
endef
