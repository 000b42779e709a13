import AtRestAuditModel
import AtRestAuditResources

extension RuleID {
  static let bundledKeyFile = RuleID("bundled-key-file")
}

/// Private key file in the app.
enum BundledKeyFile: CodeRule {
  static let rule = Rule(
    .bundledKeyFile, "Private key file in the app",
    severity: .high, level: .required,
    consequence:
      "Anyone who downloads the app can extract the key, and can then sign, decrypt or connect in "
      + "its name. A passphrase that ships with the key does not stop them.",
    remedy:
      "Remove the file from the target, and create a key on each device with "
      + "SecKeyCreateRandomKey, which can keep it in the Secure Enclave. Replace a key that has "
      + "shipped.",
    references: .init(
      masvs: ["MSTG-CRYPTO-1"], maswe: ["MASWE-0004"],
      masweBeta: ["MASWE-0005", "MASWE-0013", "MASWE-0036"], mastg: ["MASTG-TEST-0214"],
      cwe: [321, 798]),
    // atrest:ignore-begin hardcoded-key the rule's example, which is not a real key
    bad: .init(
      "App/client.pem",
      """
      -----BEGIN PRIVATE KEY-----
      MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg
      -----END PRIVATE KEY-----
      """),
    // atrest:ignore-end hardcoded-key
    good: .init(
      "App/client.pem",
      """
      -----BEGIN PUBLIC KEY-----
      MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE
      -----END PUBLIC KEY-----
      """))
}

extension ResourceChecks {
  /// Returns a finding if the file contains a private key, and the file ships or is in a folder
  /// with sources that ship. If no targets are known, every private key is reported.
  package func findings(in file: KeyFile, _ resources: ProjectResources) -> [Finding] {
    guard let content = file.content else { return [] }
    let ships = resources.ships(file.path)
    if !ships, resources.knowsTargets {
      let folder = ResourcePath.folder(of: file.path)
      guard resources.projects.contains(where: { $0.hasSources(under: folder) }) else { return [] }
    }
    let severity: Severity =
      switch content {
      case .privateKey: ships ? .high : .medium
      case .protectedKey, .keyStore: ships ? .medium : .low
      }
    return [
      Finding(
        rule: .bundledKeyFile, severity: severity,
        location: Self.location(file.path, from: file.position, to: file.position),
        message:
          "The file contains \(content.rawValue)" + (ships ? " and ships with the app." : "."),
        anchor: ResourcePath.name(of: file.path), secrets: file.secrets)
    ]
  }
}

extension XcodeProject {
  /// Returns true if a target other than a test compiles a file in or below this folder.
  func hasSources(under folder: String) -> Bool {
    guard !folder.isEmpty else { return false }
    let prefix = folder + "/"
    return members.contains { path, roles in
      path.hasPrefix(prefix)
        && roles.contains { $0.role == .source && targets[$0.target].kind != .test }
    }
      || folders.contains {
        $0.isSynchronized && (folder == $0.path || folder.hasPrefix($0.path + "/"))
      }
  }
}
