import AtRestAuditModel
import AtRestAuditRules
import AtRestFormats

/// Folds findings that have one cause: those of one rule about one value, and the entries of an
/// inventory that name the same thing.
enum Causes {
  /// The rules that make an inventory.
  private static let inventories: Set<RuleID> = [.sharedContainer, .ipcInventory]

  /// The rules about fields of an interface.
  private static let fields: Set<RuleID> = [
    "secure-text-entry-missing", "autocorrection-not-disabled",
  ]

  /// The rules about how a file encrypts, whose findings are mended together: what encrypts, and what
  /// decrypts.
  private static let mechanisms: Set<RuleID> = [
    "ecb-mode", "static-iv", "weak-kdf", "weak-password-hash", "password-as-key",
    "keychain-accessible-always",
  ]

  /// The rules about secrets that are written in the code.
  private static let literals: Set<RuleID> = ["hardcoded-credential", "hardcoded-key"]

  /// The number of further places in a log that show that a value is no secret.
  private static let loud = 11

  private struct Key: Hashable {
    let rule: RuleID
    /// Nil if findings of every severity have the cause.
    let severity: Severity?
    let cause: String
  }

  private struct Place: Hashable {
    let rule: RuleID
    let path: String
    let line: Int

    init(_ rule: RuleID, _ location: Location) {
      self.rule = rule
      path = location.path
      line = location.start.line
    }

    init(_ finding: Finding) { self.init(finding.rule, finding.location) }
  }

  /// Returns one finding for each cause, with the places of the others, and the others.
  ///
  /// - Parameter findings: The findings in order.
  static func folded(_ findings: [Finding]) -> (kept: [Finding], repeated: [Finding]) {
    var places: [Key: [Location]] = [:]
    var first: [Key: Int] = [:]
    var aliases: [Key: Key] = [:]
    var told: Set<Place> = []
    var kept: [Finding] = []
    var repeated: [Finding] = []
    let passwords = Set(
      findings.filter { $0.rule == "password-as-key" }.map { Place($0) })
    for finding in findings {
      // The most severe come first. A call that is a log at its end, too, is told once.
      let place = Place(finding)
      if finding.rule == .logSensitive, !told.insert(place).inserted {
        repeated.append(finding)
        continue
      }
      // A logger that also reports to a service is one call to mend.
      if finding.rule == .thirdPartySharing, finding.message.contains(" is passed to "),
        told.contains(Place(.logSensitive, finding.location))
      {
        repeated.append(finding)
        continue
      }
      // A password that is used as a key can be guessed, which is what the other rule says.
      if finding.rule == "predictable-key",
        passwords.contains(Place("password-as-key", finding.location))
      {
        repeated.append(finding)
        continue
      }
      guard var key = key(finding) else {
        kept.append(finding)
        continue
      }
      if finding.rule == "sensitive-in-url" {
        // The parameters of one URL are one finding, and so is one parameter of all URLs.
        let named = Key(rule: finding.rule, severity: finding.severity, cause: finding.message)
        let known = aliases[named] ?? aliases[key] ?? key
        aliases[named] = known
        aliases[key] = known
        key = known
      }
      if first[key] == nil {
        first[key] = kept.count
        kept.append(finding)
      } else {
        places[key, default: []] += [finding.location] + finding.places
        repeated.append(finding)
      }
    }
    for (key, places) in places {
      guard let index = first[key] else { continue }
      let isLoud = key.rule == .logSensitive && places.count >= loud
      // Nobody writes a secret to the log in a dozen places.
      let isDoubtful = isLoud && kept[index].basis?.tier != .proved
      let line = Place(kept[index])
      kept[index] = kept[index].with(
        severity: isDoubtful ? min(kept[index].severity, .low) : nil,
        places: kept[index].places + places.filter { Place(kept[index].rule, $0) != line })
    }
    return (kept, repeated)
  }

  private static func key(_ finding: Finding) -> Key? {
    guard finding.exhibit == nil else { return nil }
    if inventories.contains(finding.rule) {
      return Key(rule: finding.rule, severity: finding.severity, cause: finding.message)
    }
    // The fields for the twelve words of a phrase are one screen to mend.
    if fields.contains(finding.rule), FileKind(path: finding.location.path) == .interface {
      return Key(
        rule: finding.rule, severity: finding.severity,
        cause: finding.location.path + finding.message.filter { !$0.isNumber })
    }
    // The record of a person has many properties.
    if finding.rule == "swiftdata-unprotected",
      let kind = ["Health data", "A location", "An identity number"]
        .first(where: finding.message.hasPrefix)
    {
      return Key(
        rule: finding.rule, severity: finding.severity, cause: finding.location.path + kind)
    }
    if mechanisms.contains(finding.rule) {
      return Key(
        rule: finding.rule, severity: finding.severity, cause: finding.location.path)
    }
    // One secret is one secret to revoke, whatever it is called and wherever it is written. Entries of
    // other files are known by their names.
    if literals.contains(finding.rule), finding.secrets.count == 1 {
      let isCode = FileKind(path: finding.location.path)?.isCode == true
      return Key(
        rule: finding.rule, severity: isCode ? nil : finding.severity,
        cause: (isCode ? "" : finding.message)
          + String(decoding: finding.secrets[0].value, as: UTF8.self))
    }
    return finding.basis?.cause.map {
      Key(rule: finding.rule, severity: finding.severity, cause: $0)
    }
  }
}
