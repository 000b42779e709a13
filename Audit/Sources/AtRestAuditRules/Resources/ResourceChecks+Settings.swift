import AtRestAuditModel
import AtRestAuditResources
import AtRestFormats

extension ResourceChecks {
  /// What an Info.plist, a file of entitlements or a privacy manifest lays open.
  package func settings(in list: PropertyList) -> [Finding] {
    switch ResourcePath.ending(of: list.path) {
    case "entitlements": entitlements(in: list)
    case "xcprivacy": trackingDomains(in: list)
    case "plist": information(in: list)
    default: []
    }
  }

  private func information(in list: PropertyList) -> [Finding] {
    guard let root = list.root else { return [] }
    var findings = preferences(in: list)
    func add(_ rule: RuleID, _ severity: Severity, _ entry: PropertyList.Entry, _ message: String) {
      findings.append(
        Finding(
          rule: rule, severity: severity, location: Self.location(list.path, entry),
          message: message, anchor: entry.key))
    }
    for sharing in Self.sharing {
      if let entry = root.entry(sharing.key), entry.node.isTrue {
        add(.documentSharing, sharing.severity, entry, sharing.message)
      }
    }
    if let entry = root.entry("CFBundleURLTypes") {
      let schemes = (entry.node.array ?? []).flatMap { $0["CFBundleURLSchemes"]?.strings ?? [] }
      if !schemes.isEmpty {
        add(
          .ipcInventory, .note, entry,
          "Any app can open this one by the schemes \(schemes.joined(separator: ", ")).")
      }
    }
    for key in ["UTExportedTypeDeclarations", "CFBundleDocumentTypes"] {
      guard let entry = root.entry(key), entry.node.array?.isEmpty == false else { continue }
      add(.ipcInventory, .note, entry, "Other apps can hand this one the files of these types.")
    }
    if let entry = root["NSExtension"]?["NSExtensionAttributes"]?.entry("RequestsOpenAccess"),
      entry.node.isTrue,
      root["NSExtension"]?["NSExtensionPointIdentifier"]?.string == "com.apple.keyboard-service"
    {
      add(
        .customKeyboards, .medium, entry,
        "The keyboard asks for full access, with which it can send what is typed anywhere.")
    }
    return findings
  }

  /// Fields of a settings bundle, whose values the system keeps in the app's UserDefaults.
  private func preferences(in list: PropertyList) -> [Finding] {
    (list.root?["PreferenceSpecifiers"]?.array ?? []).flatMap { field -> [Finding] in
      guard field["Type"]?.string == "PSTextFieldSpecifier", let entry = field.entry("Key"),
        let key = entry.node.string, let sensitivity = Sensitivity.ofKey(key), sensitivity.isSecret
      else { return [] }
      var findings = [
        Finding(
          rule: .userDefaultsSensitive, severity: .high,
          location: Self.location(list.path, entry),
          message: "The Settings app keeps what is typed for “\(key)” in UserDefaults.", anchor: key
        )
      ]
      if field["IsSecure"]?.isTrue != true {
        findings.append(
          Finding(
            rule: .secureTextEntryMissing, severity: .medium,
            location: Self.location(list.path, entry),
            message: "The Settings app shows what is typed for “\(key)”.", anchor: key))
      }
      if let value = field.entry("DefaultValue"), let text = value.node.string,
        LiteralSecret.isLiteral(text, named: key)
      {
        findings.append(
          Finding(
            rule: .hardcodedCredential, severity: .high,
            location: Self.location(list.path, value),
            message: "The setting “\(key)” has a value from the beginning.", anchor: key,
            secrets: [Self.location(list.path, value)]))
      }
      return findings
    }
  }

  /// What opens the Documents folder to others.
  private static let sharing: [(key: String, severity: Severity, message: String)] = [
    (
      "UIFileSharingEnabled", .medium,
      "Everything in the app's Documents folder can be copied from the device with a cable."
    ),
    (
      "LSSupportsOpeningDocumentsInPlace", .low,
      "The app's Documents folder is open in the Files app, to be read and changed."
    ),
  ]

  /// Entries of an Info.plist that Xcode makes of the settings of an app's targets; one of each is
  /// enough, and debug builds do not ship.
  func sharing(in project: XcodeProject) -> [Finding] {
    let configurations =
      project.configurations
      + project.targets.filter { $0.kind == .application }.flatMap(\.configurations)
    return Self.sharing.compactMap { sharing in
      let name = "INFOPLIST_KEY_" + sharing.key
      let places = configurations.filter {
        !$0.name.lowercased().contains("debug") && $0.settings[name].map(Self.isYes) == true
      }.compactMap { $0.positions[name] }
      return places.min().map {
        Finding(
          rule: .documentSharing, severity: sharing.severity,
          location: Self.location(project.path, from: $0, to: $0), message: sharing.message,
          anchor: name)
      }
    }
  }

  func sharing(in file: XCConfig) -> [Finding] {
    file.settings.compactMap { setting in
      guard let sharing = Self.sharing.first(where: { setting.name == "INFOPLIST_KEY_" + $0.key }),
        Self.isYes(setting.value)
      else { return nil }
      return Finding(
        rule: .documentSharing, severity: sharing.severity,
        location: Self.location(file.path, from: setting.position, to: setting.position),
        message: sharing.message, anchor: setting.name)
    }
  }

  private static func isYes(_ value: String) -> Bool { value == "YES" || value == "true" }

  private func entitlements(in list: PropertyList) -> [Finding] {
    guard let root = list.root else { return [] }
    var findings: [Finding] = []
    if let entry = root.entry("com.apple.developer.default-data-protection"),
      entry.node.string == "NSFileProtectionNone"
    {
      findings.append(
        Finding(
          rule: .noFileProtection, severity: .high, location: Self.location(list.path, entry),
          message: "Files of the app are by default readable while the device is locked.",
          anchor: entry.key))
    }
    if let entry = root.entry("com.apple.security.application-groups") {
      let groups = entry.node.strings
      if !groups.isEmpty {
        findings.append(
          Finding(
            rule: .sharedContainer, severity: .note, location: Self.location(list.path, entry),
            message: "Apps and extensions of \(groups.joined(separator: ", ")) share files.",
            anchor: entry.key))
      }
    }
    return findings
  }

  private func trackingDomains(in list: PropertyList) -> [Finding] {
    (list.root?["NSPrivacyTrackingDomains"]?.array ?? []).compactMap { node in
      node.string.map { domain in
        Finding(
          rule: .trackingDomain, severity: .low,
          location: Self.location(list.path, from: node.position, to: node.position),
          message: "The app follows persons through \(domain).", anchor: domain)
      }
    }
  }
}
