import AtRestAuditModel

extension RuleID {
  package static let containerKey = RuleID("container-key")
}

/// Private key or key of a service that lies in the clear.
enum ContainerKey: CodeRule {
  static let rule = Rule(
    .containerKey, "Private key or key of a service that lies in the clear",
    severity: .high, level: .required, subject: .container,
    consequence:
      "Whoever reads the file signs and decrypts as the app or the person, or uses the service at "
      + "its owner's cost.",
    remedy:
      "Make keys in the Secure Enclave or keep them in the keychain; leave keys of services on a "
      + "server.",
    references: .init(
      masvs: ["MSTG-STORAGE-1", "MSTG-CRYPTO-1"], maswe: ["MASWE-0003", "MASWE-0004"],
      masweBeta: ["MASWE-0013", "MASWE-0014"], mastg: ["MASTG-TEST-0302", "MASTG-TEST-0214"],
      cwe: [312, 321]),
    bad: .init(
      "Documents/client.pem",
      // atrest:ignore hardcoded-key the example of the rule, which is no key
      "-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg\n"
        + "-----END PRIVATE KEY-----\n"),
    good: .init(
      "Documents/client.pem",
      "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n"
        + "-----END PUBLIC KEY-----\n"))
}
