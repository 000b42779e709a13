import AtRestAuditModel
import AtRestAuditResources
import AtRestFormats

extension ResourceChecks {
  /// Returns the findings for an Info.plist, an entitlements file or a privacy manifest.
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
    // The Files app shows the Documents folder only if file sharing is on, too.
    if let entry = root.entry("UIFileSharingEnabled"), entry.node.isTrue {
      let isInPlace = root["LSSupportsOpeningDocumentsInPlace"]?.isTrue == true
      add(.documentSharing, .low, entry, Self.sharing(inPlace: isInPlace))
    }
    if let entry = root.entry("CFBundleURLTypes") {
      let schemes = (entry.node.array ?? []).flatMap { $0["CFBundleURLSchemes"]?.strings ?? [] }
      if !schemes.isEmpty {
        add(
          .ipcInventory, .note, entry,
          "Any app can open this one by the URL schemes \(schemes.joined(separator: ", ")).")
      }
    }
    if let entry = root.entry("CFBundleDocumentTypes"), entry.node.array?.isEmpty == false {
      add(.ipcInventory, .note, entry, "Other apps can pass files of these types to this one.")
    }
    if let entry = root["NSExtension"]?["NSExtensionAttributes"]?.entry("RequestsOpenAccess"),
      entry.node.isTrue,
      root["NSExtension"]?["NSExtensionPointIdentifier"]?.string == "com.apple.keyboard-service"
    {
      add(
        .customKeyboards, .low, entry,
        "The keyboard requests full access, which lets the keyboard send everything that is typed to any server."
      )
    }
    return findings
  }

  /// Returns the findings for a settings bundle. The system stores the values of its fields in the
  /// app's UserDefaults.
  private func preferences(in list: PropertyList) -> [Finding] {
    (list.root?["PreferenceSpecifiers"]?.array ?? []).flatMap { field -> [Finding] in
      guard field["Type"]?.string == "PSTextFieldSpecifier", let entry = field.entry("Key"),
        let key = entry.node.string, let sensitivity = SensitiveKind.ofKey(key),
        sensitivity.isSecret
      else { return [] }
      var findings = [
        Finding(
          rule: .userDefaultsSensitive, severity: .high,
          location: Self.location(list.path, entry),
          message: "The Settings app stores what is typed for “\(key)” in UserDefaults.",
          anchor: key)
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
            message: "The setting “\(key)” has a default value.", anchor: key,
            secrets: [Finding.Secret(text, at: value.node.location(in: list))]))
      }
      return findings
    }
  }

  private func entitlements(in list: PropertyList) -> [Finding] {
    guard let root = list.root else { return [] }
    var findings: [Finding] = []
    if let entry = root.entry("com.apple.developer.default-data-protection"),
      entry.node.string == "NSFileProtectionNone"
    {
      findings.append(
        Finding(
          rule: .unprotectedFile, severity: .high, location: Self.location(list.path, entry),
          message: "By default, files of the app are readable while the device is locked.",
          anchor: entry.key))
    }
    if let entry = root.entry("com.apple.security.application-groups") {
      let groups = entry.node.strings
      if !groups.isEmpty {
        findings.append(
          Finding(
            rule: .sharedContainer, severity: .note, location: Self.location(list.path, entry),
            message: "Apps and extensions in \(groups.joined(separator: ", ")) share files.",
            anchor: entry.key))
      }
    }
    return findings
  }
}
