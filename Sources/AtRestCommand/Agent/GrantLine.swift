@_spi(Tools) import AtRestKeychain

/// A grant in the output of the command.
struct GrantLine {
  /// The number of hexadecimal digits that show the digest of a program.
  private static let shownDigits = 12

  static let headings = ["ID", "GROUPS", "ACCESS", "SANDBOXES", "HOLDS", "EVIDENCE"]

  let grant: AgentGrant

  private var groups: String { grant.groups.joined(separator: ", ") }

  /// The evidence, with the beginning of a digest.
  private var evidence: String {
    let text = grant.evidence.description
    guard grant.evidence.kind == .program, let space = text.lastIndex(of: " "),
      text[space...].count > Self.shownDigits + 1
    else { return text }
    return text[...space] + text[space...].dropFirst().prefix(Self.shownDigits) + "…"
  }

  /// The cells of a table, the longest last.
  var cells: [String] {
    [
      grant.id, groups, grant.mayWrite ? "write" : "read",
      grant.isForSandboxes || grant.evidence.holdsInSandboxes ? "yes" : "no",
      grant.evidence.holdsAgainstOtherPrograms ? "yes" : "no", evidence,
    ].map { Output.printable($0) }
  }

  /// The ID, and what the grant gives to whom.
  var text: String {
    let access = grant.mayWrite ? "read and write" : "read"
    return Output.printable("\(grant.id)  \(access) \(groups): \(evidence)")
  }
}
