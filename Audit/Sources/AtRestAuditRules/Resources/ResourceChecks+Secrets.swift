import AtRestAuditAnalysis
import AtRestAuditModel
import AtRestAuditResources
import AtRestFormats
import Foundation

extension ResourceChecks {
  /// Returns the secrets in each property list, in the order of the lists.
  package func secrets(in resources: ProjectResources) -> [[Finding]] {
    Workers.map(resources.propertyLists.count) { index in
      secrets(in: resources.propertyLists[index], resources)
    }
  }

  /// Returns the secrets in a property list, a strings file or a JSON file.
  package func secrets(in list: PropertyList, _ resources: ProjectResources) -> [Finding] {
    guard let root = list.root else { return [] }
    switch ResourcePath.ending(of: list.path) {
    case "entitlements", "xcprivacy", "stringsdict": return []
    case "json" where resources.knowsTargets && !resources.ships(list.path): return []
    default: break
    }
    // According to Google, the keys in a file with this entry identify the app and grant no access.
    if root["GOOGLE_APP_ID"] != nil { return [] }
    var walk = SecretWalk(list: list)
    walk.look(at: root, key: nil)
    return Repetitions.folded(walk.findings)
  }

  /// Returns the secrets with the severity that the code allows: a token in an Info.plist that no code
  /// reads is read by a library, to which it names the app.
  package func weighed(
    _ secrets: [[Finding]], _ resources: ProjectResources, _ analysis: Analysis
  ) -> [[Finding]] {
    func isForLibrary(_ finding: Finding) -> Bool {
      finding.rule == .hardcodedCredential && finding.basis?.tier == .witnessed
        && finding.location.path.hasSuffix("Info.plist")
        && SensitiveKind.ofKey(finding.anchor) == .token
        && !Words.split(finding.anchor).contains("secret")
    }
    let names = Set(secrets.joined().filter(isForLibrary).map(\.anchor))
    let read = analysis.literals(among: names)
    return secrets.map { findings in
      findings.map { finding in
        isForLibrary(finding) && !read.contains(finding.anchor)
          ? finding.with(severity: min(finding.severity, .low)) : finding
      }
    }
  }

  /// Returns the findings for build settings, whose values end up in property lists and code.
  package func findings(in file: XCConfig) -> [Finding] {
    sharing(in: file)
      + file.settings.compactMap { setting in
        guard let found = SecretWalk.judge(setting.name, setting.value, strictly: true) else {
          return nil
        }
        return SecretWalk.finding(
          found, name: setting.name,
          at: Self.location(file.path, from: setting.position, to: setting.position),
          value: Finding.Secret(setting.value, at: setting.location))
      }
  }
}

/// Searches a property list for secrets, by their names and by their forms.
private struct SecretWalk {
  enum Secret {
    case named(SensitiveKind)
    case known(RecognisedSecret)
    /// A part of the text, with a noun for it.
    case part(noun: String, value: String, isOfApp: Bool)
  }

  let list: PropertyList
  let isStrict: Bool
  /// True for the texts of an interface in one language.
  let isText: Bool
  var findings: [Finding] = []

  init(list: PropertyList) {
    self.list = list
    // Strings and JSON files contain captions: `"password" = "Passwort";`.
    isStrict = ["strings", "json"].contains(ResourcePath.ending(of: list.path))
    isText = ResourcePath.folder(of: list.path).hasSuffix(".lproj")
  }

  /// Searches a node and everything in it. The reader has limited the depth.
  mutating func look(at node: PropertyList.Node, key: PropertyList.Entry?) {
    switch node.value {
    case .dictionary(let entries):
      for entry in entries { look(at: entry.node, key: entry) }
    case .array(let nodes):
      for node in nodes { look(at: node, key: key) }
    case .string(let text):
      guard let found = Self.judge(key?.key ?? "", text, strictly: isStrict, isText: isText) else {
        return
      }
      report(found, node, key, Finding.Secret(text, at: node.location(in: list)))
    case .data(let data):
      guard data.count >= 16, let key, SensitiveKind.ofKey(key.key) == .key else { return }
      report(
        .named(.key), node, key, Finding.Secret([UInt8](data), at: node.location(in: list)))
    default: break
    }
  }

  private mutating func report(
    _ secret: Secret, _ node: PropertyList.Node, _ key: PropertyList.Entry?,
    _ value: Finding.Secret
  ) {
    findings.append(
      Self.finding(
        secret, name: key?.key ?? "",
        at: ResourceChecks.location(
          list.path, from: key.map { min($0.position, node.position) } ?? node.position,
          to: node.position), value: value))
  }

  /// - Parameter value: The value, with the place where it is written. The finding's own location
  ///   reaches from the name to the beginning of the value.
  static func finding(
    _ secret: Secret, name: String, at location: Location, value: Finding.Secret
  ) -> Finding {
    switch secret {
    case .named(let sensitivity):
      Finding(
        rule: sensitivity == .key ? .hardcodedKey : .hardcodedCredential,
        severity: min(sensitivity == .token ? .medium : .high, weight(name, value).limit),
        location: location, message: "The file contains the value of “\(name)”.", anchor: name,
        secrets: [value], basis: weight(name, value).basis)
    case .part(let noun, let part, let isOfApp):
      Finding(
        rule: .hardcodedCredential, severity: isOfApp ? .low : .medium, location: location,
        message: "The file contains \(noun)" + (name.isEmpty ? "." : " in “\(name)”."),
        anchor: name, secrets: [value, Finding.Secret(part, at: value.location)],
        basis: Basis(.witnessed))
    case .known(let known):
      Finding(
        rule: known.kind == .privateKey ? .hardcodedKey : .hardcodedCredential,
        severity: severity(of: known, value), location: location,
        message: "The file contains \(known.noun)" + (name.isEmpty ? "." : " under “\(name)”."),
        anchor: name, secrets: [value], basis: Basis(.proved))
    }
  }

  /// Returns the severity of a secret that its form shows. What a token says about itself limits it.
  private static func severity(of known: RecognisedSecret, _ value: Finding.Secret) -> Severity {
    if known.isForTests { return .low }
    guard known.kind == .webToken else { return .high }
    let token = String(decoding: value.value[known.range], as: UTF8.self)
    return Literal.isPublished(token) ? .note : Literal.isStatement(token) ? .low : .high
  }

  /// Weighs a value: its form and its name are independent of each other.
  private static func weight(_ name: String, _ value: Finding.Secret) -> Weight {
    let text = String(decoding: value.value, as: UTF8.self)
    // Data has no words.
    guard text.utf8.elementsEqual(value.value), Literal.form(of: text) == .words else {
      let isOfApp =
        Words.split(name).contains(where: LiteralChecks.writeOnly.contains)
        || LiteralChecks.isKeyOfApp(name)
      return Weight(
        basis: Basis(.witnessed),
        limit: isOfApp || LiteralChecks.isOpenKey(name)
          ? .low : WeakNames.contains(name) ? .medium : .high)
    }
    return Weight(basis: Basis(.named), limit: .low)
  }

  static func judge(
    _ name: String, _ value: String, strictly: Bool, isText: Bool = false
  ) -> Secret? {
    if let known = RecognisedSecret(in: value, by: .propertyLists) { return .known(known) }
    if let part = Literal.secretPart(of: value) {
      return .part(noun: part.noun, value: part.value, isOfApp: part.isOfApp)
    }
    // There are many captions, and checking their texts is faster than checking their names.
    guard
      !strictly || LiteralSecret.looksRandom(value, atLeast: 8)
        || !isText && isMixed(value),
      !isText || Literal.form(of: value) == .random, let sensitivity = SensitiveKind.ofKey(name),
      sensitivity.isSecret,
      LiteralSecret.isLiteral(value, named: name), !LiteralSecret.isPublic(value, named: name)
    else { return nil }
    let isSecret: Bool =
      switch sensitivity {
      case .credential: strictly || !isCaption(value)
      default: LiteralSecret.looksRandom(value, atLeast: sensitivity == .key ? 8 : 12)
      }
    // One word under a name with several meanings says nothing.
    if WeakNames.contains(name), Literal.form(of: value) == .words { return nil }
    return isSecret ? .named(sensitivity) : nil
  }

  /// Returns true if the value is one capitalised word such as `Passwort`, or has no ASCII at all.
  private static func isCaption(_ value: String) -> Bool {
    value.first?.isUppercase == true
      && value.dropFirst().allSatisfy { $0.isLetter && !$0.isUppercase }
      || value.unicodeScalars.allSatisfy { !$0.isASCII }
  }

  /// Returns true if the value is ASCII of at least six characters, including letters and digits.
  private static func isMixed(_ value: String) -> Bool {
    let bytes = value.utf8
    return bytes.count >= 6 && bytes.allSatisfy { $0 < 0x80 }
      && bytes.contains { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
      && bytes.contains { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }
  }
}
