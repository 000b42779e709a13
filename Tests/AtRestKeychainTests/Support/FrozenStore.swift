import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Foundation

/// The stores that were written once by version 1 of the formats, and their contents.
///
/// `CONTRIBUTING.md`, *A new version of an on-disk format*, describes how they were made.
enum FrozenStore {
  static let passcode = "the frozen passcode"
  static let passphrase = "the frozen passphrase"
  static let applicationPassword = "the frozen application password"
  static let identity = ApplicationIdentity("com.example.frozen")
  static let tag = "com.example.frozen.key"
  static let enrolment = Data([1, 2, 3])
  static let date = Date(timeIntervalSince1970: 1_700_000_000.125)

  /// The key pair of RFC 6979, A.2.5.
  static let privateScalar = "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721"
  static let publicPoint =
    "0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
    + "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"

  static let protected = password("application-password", service: "frozen")
  static let controlled = password("access-control", service: "frozen")
  static let synchronizable = password("sync", service: "frozen", synchronizable: true)
  static let empty = password("no value", service: "frozen")
  static let updated = password("updated", service: "frozen")
  static let deleted = password("deleted", service: "frozen")
  static let internet = PrimaryKey.internetPassword(
    server: "example.com", account: "éva", port: 443, path: "/", networkProtocol: 0x6874_7073)
  static let certificate = PrimaryKey.certificate(
    issuer: Data([0x30, 0]), serialNumber: Data([0, 0xff]))

  static func keyed() throws -> PrimaryKey {
    try PrimaryKey(
      .key, [.keyClass: 2, .applicationTag: "symmetric", .startDate: .date(date)])
  }

  static func item(_ accessibility: Accessibility) -> PrimaryKey {
    password(accessibility.name, service: "frozen")
  }

  static func secret(_ accessibility: Accessibility) -> String { "secret \(accessibility.name)" }

  /// More items than the index keeps out of its trees.
  static let bulk = (0..<1_500).map { password("bulk \($0)", service: "bulk") }

  static var applicationContext: AuthenticationContext {
    AuthenticationContext(applicationPassword: SecretBytes(utf8: applicationPassword))
  }

  static let control = AccessControl(.afterFirstUnlock, .devicePasscodeAnd(.currentSet))

  /// A user who knows the passcode and has the enrolled finger.
  struct User: Authenticator {
    var biometry: BiometryState { .enrolled(FrozenStore.enrolment) }
    func passcode(for _: AuthenticationRequest) throws -> SecretBytes {
      SecretBytes(utf8: FrozenStore.passcode)
    }
    func matchesBiometry(for _: AuthenticationRequest) throws -> Bool { true }
    func applicationPassword(for _: AuthenticationRequest) throws -> SecretBytes {
      SecretBytes(utf8: FrozenStore.applicationPassword)
    }
  }

  // MARK: Creation, once for each version

  /// Creates a version's fixtures in a folder that does not exist yet.
  static func make(in folder: URL) throws {
    let device = try FileDeviceKey.openOrCreate(in: folder.appendingPathComponent("device"))
    try makeLocked(in: folder, device)
    let bare = try Keybag.create(
      at: folder.appendingPathComponent("bare"), device: device,
      options: Keybag.Options(kdf: .forTesting))
    let keychain = try Keychain.open(bare, identity: identity)
    try keychain.put(item(.whenUnlocked), secret(.whenUnlocked))
    keychain.close()
    // Locks, and the records of the folders in which the stores were made.
    for part in ["device", "store", "bare"] {
      let files = try FileManager.default.contentsOfDirectory(
        at: folder.appendingPathComponent(part), includingPropertiesForKeys: nil)
      for file in files
      where file.lastPathComponent.hasSuffix("lock") || file.lastPathComponent.hasPrefix("place-") {
        try FileManager.default.removeItem(at: file)
      }
    }
  }

  private static func makeLocked(in folder: URL, _ device: FileDeviceKey) throws {
    let keybag = try Keybag.create(
      at: folder.appendingPathComponent("store"), device: device,
      passcode: SecretBytes(utf8: "first"),
      options: Keybag.Options(kdf: .forTesting, attemptLimit: 10, allowsWeakPasscode: true))
    try keybag.changePasscode(
      from: SecretBytes(utf8: "first"), to: SecretBytes(utf8: passcode))
    let keychain = try Keychain.open(keybag, identity: identity, authenticator: User())
    try fill(keychain)
    let reference = try keychain.item(for: item(.whenUnlocked)).reference
    try reference.data.write(to: folder.appendingPathComponent("reference"))
    try makeEnclaveKeys(keychain, in: folder)
    keychain.close()
    let owner = try Keychain.open(keybag, identity: .owner())
    try owner.backup(
      to: folder.appendingPathComponent("backup"),
      passphrase: SecretBytes(utf8: passphrase), kdf: .forTesting)
    owner.close()
  }

  private static func makeEnclaveKeys(_ keychain: Keychain, in folder: URL) throws {
    let signing = try keychain.makeEnclaveKey(
      for: .signing, protection: .controlled(.privateKeyUsage(.whenUnlockedThisDeviceOnly)),
      context: AuthenticationContext())
    try signing.representation.write(to: folder.appendingPathComponent("enclave-signing"))
    let agreement = try keychain.makeEnclaveKey(
      for: .keyAgreement,
      protection: .controlled(
        AccessControl(
          .afterFirstUnlockThisDeviceOnly, .devicePasscodeAnd(.currentSet),
          applicationPassword: true, privateKeyUsage: true)),
      context: applicationContext)
    try agreement.representation.write(to: folder.appendingPathComponent("enclave-agreement"))
  }

  private static func fill(_ keychain: Keychain) throws {
    for accessibility in Accessibility.allCases {
      try keychain.put(
        item(accessibility), secret(accessibility), [.label: "frozen", .generic: "generic"],
        .accessible(accessibility))
    }
    try keychain.put(internet, "internet", [.comment: "comment", .label: "frozen"])
    try keychain.put(certificate, "certificate", [.subject: .data(Data([0x30, 1, 0]))])
    try keychain.put(keyed(), "symmetric key")
    try keychain.put(synchronizable, "synchronizable")
    try keychain.addWithoutSecret(empty)
    try keychain.put(
      protected, "twice sealed", [:], .controlled(.applicationPassword(.whenUnlocked)),
      context: applicationContext)
    try keychain.put(controlled, "controlled", [:], .controlled(control))
    try keychain.importKey(
      PrivateKey(rawRepresentation: SecretBytes(bytes(privateScalar)), algorithm: .p256),
      tag: tag)
    try keychain.transaction { for key in bulk { try keychain.put(key, "bulk") } }
    try keychain.put(updated, "older")
    try keychain.change(updated, "newer")
    try keychain.put(deleted)
    try keychain.delete(deleted)
  }

  static func bytes(_ hex: String) -> Data {
    let digits = Array(hex.utf8)
    return Data(
      stride(from: 0, to: digits.count, by: 2).map {
        UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16) ?? 0
      })
  }
}
