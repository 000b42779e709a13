import AtRestAuditModel
import AtRestAuditResources
import AtRestFormats
import Foundation

extension ResourceChecks {
  /// Secrets written into each of the property lists, in their order.
  package func secrets(in resources: ProjectResources) -> [[Finding]] {
    Workers.map(resources.propertyLists.count) { index in
      secrets(in: resources.propertyLists[index], resources)
    }
  }

  /// Secrets written into property lists, strings and JSON.
  package func secrets(in list: PropertyList, _ resources: ProjectResources) -> [Finding] {
    guard let root = list.root else { return [] }
    switch ResourcePath.ending(of: list.path) {
    case "entitlements", "xcprivacy", "stringsdict": return []
    case "json" where resources.knowsTargets && !resources.ships(list.path): return []
    default: break
    }
    // What Google gives to an app identifies it and opens nothing, as Google says.
    if root["GOOGLE_APP_ID"] != nil { return [] }
    var walk = SecretWalk(list: list)
    walk.look(at: root, key: nil)
    return walk.findings
  }

  /// Secrets among build settings, which end in property lists and code.
  package func findings(in file: XCConfig) -> [Finding] {
    sharing(in: file)
      + file.settings.compactMap { setting in
        guard let found = SecretWalk.judge(setting.name, setting.value, strictly: true) else {
          return nil
        }
        return SecretWalk.finding(
          found, name: setting.name,
          at: Self.location(file.path, from: setting.position, to: setting.position))
      }
  }
}

/// Goes through a property list for values under the names of secrets.
private struct SecretWalk {
  enum Secret {
    case named(Sensitivity)
    case wellKnown(String)
  }

  let list: PropertyList
  let isStrict: Bool
  var findings: [Finding] = []

  init(list: PropertyList) {
    self.list = list
    // Strings and JSON hold captions: `"password" = "Passwort";`.
    isStrict = ["strings", "json"].contains(ResourcePath.ending(of: list.path))
  }

  /// The reader has limited the depth.
  mutating func look(at node: PropertyList.Node, key: PropertyList.Entry?) {
    switch node.value {
    case .dictionary(let entries):
      for entry in entries { look(at: entry.node, key: entry) }
    case .array(let nodes):
      for node in nodes { look(at: node, key: key) }
    case .string(let text):
      guard let found = Self.judge(key?.key ?? "", text, strictly: isStrict) else { return }
      report(found, node, key)
    case .data(let data):
      guard data.count >= 16, let key, Sensitivity.ofKey(key.key) == .key else { return }
      report(.named(.key), node, key)
    default: break
    }
  }

  private mutating func report(
    _ secret: Secret, _ node: PropertyList.Node, _ key: PropertyList.Entry?
  ) {
    findings.append(
      Self.finding(
        secret, name: key?.key ?? "",
        at: ResourceChecks.location(
          list.path, from: key.map { min($0.position, node.position) } ?? node.position,
          to: node.position)))
  }

  static func finding(_ secret: Secret, name: String, at location: Location) -> Finding {
    switch secret {
    case .named(let sensitivity):
      Finding(
        rule: sensitivity == .key ? .hardcodedKey : .hardcodedCredential,
        severity: sensitivity == .token ? .medium : .high, location: location,
        message: "“\(name)” has its value written into the file.", anchor: name, secrets: [location]
      )
    case .wellKnown(let noun):
      Finding(
        rule: noun == "a private key" ? .hardcodedKey : .hardcodedCredential, severity: .high,
        location: location,
        message: "The file holds \(noun)" + (name.isEmpty ? "." : " under “\(name)”."),
        anchor: name, secrets: [location])
    }
  }

  static func judge(_ name: String, _ value: String, strictly: Bool) -> Secret? {
    if let noun = LiteralSecret.wellKnown(value) { return .wellKnown(noun) }
    // Captions are many, and their text is told faster than their names.
    guard !strictly || LiteralSecret.looksRandom(value, atLeast: 8) || isMixed(value),
      let sensitivity = Sensitivity.ofKey(name), sensitivity.isSecret,
      LiteralSecret.isLiteral(value, named: name), !LiteralSecret.isPublic(value, named: name)
    else { return nil }
    let isSecret: Bool =
      switch sensitivity {
      case .credential: strictly || !isCaption(value)
      default: LiteralSecret.looksRandom(value, atLeast: sensitivity == .key ? 8 : 12)
      }
    return isSecret ? .named(sensitivity) : nil
  }

  /// One word as it begins a line: `Passwort`.
  private static func isCaption(_ value: String) -> Bool {
    value.first?.isUppercase == true
      && value.dropFirst().allSatisfy { $0.isLetter && !$0.isUppercase }
      || value.unicodeScalars.allSatisfy { !$0.isASCII }
  }

  /// Whether it has letters, digits and a mark, as people are told to choose passwords.
  private static func isMixed(_ value: String) -> Bool {
    let bytes = value.utf8
    return bytes.count >= 6 && bytes.allSatisfy { $0 < 0x80 }
      && bytes.contains { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
      && bytes.contains { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }
  }
}
