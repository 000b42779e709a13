import AtRestAuditModel
import AtRestAuditResources

extension RuleID {
  static let bundledKeyFile = RuleID("bundled-key-file")
}

/// File with a private key in the app.
enum BundledKeyFile: CodeRule {
  static let rule = Rule(
    .bundledKeyFile, "File with a private key in the app",
    severity: .high, level: .required,
    consequence:
      "Who downloads the app takes the key out of it and can sign, decrypt or connect in its "
      + "name; a passphrase that ships beside the key does not stop them.",
    remedy:
      "Leave the file out of the target and make a key on each device with "
      + "SecKeyCreateRandomKey, which can stay in the Secure Enclave. Replace a key that has "
      + "shipped.",
    references: .init(
      masvs: ["MSTG-CRYPTO-1"], maswe: ["MASWE-0004"],
      masweBeta: ["MASWE-0005", "MASWE-0013", "MASWE-0036"], mastg: ["MASTG-TEST-0214"],
      cwe: [321, 798]),
    // atrest:ignore-begin hardcoded-key the example of the rule, which is no key
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
  /// A file with a private key that ships, or lies among what does.
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
        message: "The file holds \(content.rawValue)" + (ships ? " and ships with the app." : "."),
        anchor: ResourcePath.name(of: file.path))
    ]
  }
}

extension XcodeProject {
  /// Whether a target that is no test compiles a file of this folder or below it.
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
