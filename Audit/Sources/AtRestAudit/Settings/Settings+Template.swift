extension Settings {
  /// The template of the settings, with a comment for each key. The values in it are the defaults.
  public static let template = """
    # Settings of atrest-audit. Every key is optional.

    # The least severity of a finding that makes the audit fail: note, low, medium, high or never.
    fail-on: medium

    # Set to true to fail also if a file could not be read.
    strict: false

    # The severity of a rule's findings, or off. 'atrest-audit rules' lists the rules.
    rules: {}
    #  log-sensitive: high
    #  ipc-inventory: off

    # Globs of files to leave out, and of files to read in any case, as in a .gitignore.
    exclude: []
    #  - Sources/Demo/**
    include: []
    #  - Pods/OurOwnPod

    # Third-party code, generated code and tests: include or exclude.
    vendored: exclude
    generated: exclude
    tests: exclude

    # A file of known findings. 'atrest-audit --write-baseline FILE' writes one.
    # baseline: .atrest-audit-baseline.json

    # A folder or zip of advisories in the OSV format, for lock files.
    # advisories: advisories/

    # Words that name something sensitive in this project, with their kind: credential, token,
    # key, payment, identity, personal, health or location. And words that only look sensitive.
    sensitive-names: {}
    #  kundenkennwort: credential
    harmless-names: []
    #  - demoToken

    # Answers to questions that no program can answer. 'atrest-audit checklist' shows them.
    checklist: {}

    """
}
