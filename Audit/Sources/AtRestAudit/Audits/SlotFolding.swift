import AtRestAuditModel
import AtRestFormats

/// Folds findings about one place in storage: what is written under one key of the preferences, as one item of a
/// keychain or to one file is one value, wherever code writes it, also through a function of the project's own.
struct SlotFolding {
  /// The rules about a value in a place of its own.
  private static let rules: Set<RuleID> = [
    "userdefaults-sensitive", "cookies", "plaintext-file", "plaintext-archive", "plaintext-plist",
    "plaintext-sqlite", "core-data-unprotected", "keychain-accessible-always",
    "keychain-default-accessibility", "keychain-no-access-control", "keychain-not-this-device-only",
    "keychain-synchronizable",
  ]

  private struct Line: Hashable {
    let path: String
    let line: Int

    init(_ location: Location) {
      path = location.path
      line = location.start.line
    }
  }

  private struct Key: Hashable {
    let rule: RuleID
    let slot: StorageSlot
    /// The kind of value: `A credential`. A place that holds several kinds has a finding for each.
    let kind: Substring
  }

  private var slots: [Line: StorageSlot] = [:]

  /// - Parameter writes: Everything that the code stores under a name.
  init(_ writes: [StorageWrite]) {
    var several: Set<Line> = []
    for write in writes {
      let line = Line(write.location)
      if let known = slots[line], known != write.slot { several.insert(line) }
      slots[line] = write.slot
    }
    for line in several { slots[line] = nil }
  }

  /// Returns one finding for each place in storage, with the places of the others in the code, and the others.
  ///
  /// - Parameter findings: The findings in order, the most severe first.
  func folded(_ findings: [Finding]) -> (kept: [Finding], repeated: [Finding]) {
    var first: [Key: Int] = [:]
    var kept: [Finding] = []
    var repeated: [Finding] = []
    for finding in findings {
      guard Self.rules.contains(finding.rule), finding.exhibit == nil,
        let slot = slots[Line(finding.location)]
      else {
        kept.append(finding)
        continue
      }
      let key = Key(rule: finding.rule, slot: slot, kind: finding.message.prefix { $0 != "(" })
      if let index = first[key] {
        kept[index] = kept[index].with(places: kept[index].places + [finding.location])
        repeated.append(finding)
      } else {
        first[key] = kept.count
        kept.append(finding)
      }
    }
    return (kept, repeated)
  }
}
