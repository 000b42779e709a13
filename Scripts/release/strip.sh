#!/bin/sh
# Strips a program for `install -s`. The section that is removed has hashes of what each compiler was called with, folders
# included. No program reads it. The tool is that of the compiler: binutils' makes the tables that are read-only once the
# program runs (RELRO) writable.
exec llvm-objcopy --strip-all --remove-section=.swift_modhash "$1"
