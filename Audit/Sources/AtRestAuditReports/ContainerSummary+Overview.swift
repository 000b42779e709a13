import AtRestAuditModel
import AtRestFormats

extension ContainerSummary {
  /// `Bank.ipa: 12 files, 3.4 MB, 800 values; 9 plaintext, 3 encrypted; 2 snapshots`.
  var overview: String {
    var parts = [
      "\(Display.safe(name)): \(Display.count(files.count, "file")), \(Display.size(bytes)), "
        + Display.count(values, "value")
    ]
    let verdicts = Self.verdicts(of: files)
    if !verdicts.isEmpty { parts.append(verdicts) }
    if !snapshots.isEmpty { parts.append(Display.count(snapshots.count, "snapshot")) }
    let tries = files.compactMap(\.tries)
    if let fewest = tries.min(by: { $0.passphrases < $1.passphrases }) {
      parts.append(
        "\(Display.count(tries.count, "file")) that may be encrypted, opened by none of "
          + fewest.text)
    }
    return parts.joined(separator: "; ")
  }

  /// `9 plaintext, 3 encrypted`, leaving out verdicts that no file has.
  static func verdicts(of files: [File]) -> String {
    ContentVerdict.allCases.compactMap { verdict in
      let count = files.count { $0.verdict == verdict }
      return count > 0 ? "\(Display.grouped(count)) \(verdict.rawValue)" : nil
    }.joined(separator: ", ")
  }
}

extension KeyTries {
  /// `12 keys and 30 of 400 passphrases of the container`.
  var text: String {
    "\(Display.count(keys, "key")) and \(Display.grouped(passphrases)) of "
      + "\(Display.count(allPassphrases, "passphrase")) of the container"
  }
}
