extension Settings {
  /// Settings with a comment for each key, which change nothing.
  public static let template = """
    # Settings of atrest-audit. Everything here may be left out.

    # The least severity of a finding that makes the audit fail: note, low, medium, high or never.
    fail-on: medium

    # Whether what could not be read makes it fail too.
    strict: false

    # The severity of a rule's findings, or off: 'atrest-audit rules' lists the rules.
    rules: {}
    #  log-sensitive: high
    #  ipc-inventory: off

    # Files to leave out, and files to read whatever else is said, as in a .gitignore.
    exclude: []
    #  - Sources/Demo/**
    include: []
    #  - Pods/OurOwnPod

    # Code of others, code that a program wrote, and tests: include or exclude.
    vendored: exclude
    generated: exclude
    tests: exclude

    # Findings that are known: 'atrest-audit --write-baseline FILE' writes them.
    # baseline: .atrest-audit-baseline.json

    # A folder or zip of advisories in OSV's format, for lock files.
    # advisories: advisories/

    # Words of this project that name something sensitive: credential, token, key, payment,
    # identity, personal, health or location; and words that only look so.
    sensitive-names: {}
    #  kundenkennwort: credential
    harmless-names: []
    #  - demoToken

    # Answers to what no program can judge: 'atrest-audit checklist' asks.
    checklist: {}

    """
}
