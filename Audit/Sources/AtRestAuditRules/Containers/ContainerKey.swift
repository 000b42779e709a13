import AtRestAuditModel

extension RuleID {
  package static let containerKey = RuleID("container-key")
}

/// Finds private keys and API keys that are stored in the clear.
enum ContainerKey: CodeRule {
  static let rule = Rule(
    .containerKey, "Private key or API key stored in the clear",
    severity: .high, level: .required, subject: .container,
    consequence:
      "Anyone who reads the file can sign and decrypt as the app or the person, or use the "
      + "service at its owner's cost.",
    remedy:
      "Create private keys in the Secure Enclave or keep them in the keychain. Leave API keys on "
      + "a server.",
    references: .init(
      masvs: ["MSTG-STORAGE-1", "MSTG-CRYPTO-1"], maswe: ["MASWE-0003", "MASWE-0004"],
      masweBeta: ["MASWE-0013", "MASWE-0014"], mastg: ["MASTG-TEST-0302", "MASTG-TEST-0214"],
      cwe: [312, 321]),
    bad: .init(
      "Documents/client.pem",
      // atrest:ignore hardcoded-key an example for the rule, not a real key
      "-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg\n"
        + "-----END PRIVATE KEY-----\n"),
    good: .init(
      "Documents/client.pem",
      "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n"
        + "-----END PUBLIC KEY-----\n"))
}
