#!/bin/sh
# Strips a program for `install -s`. The section that is removed has hashes of what each compiler was called with, folders
# included. No program reads it.
exec objcopy --strip-all --remove-section=.swift_modhash "$1"
