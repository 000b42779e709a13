import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Foundation

/// The store under test, and the few items of several classes that `make` adds to it.
struct Store {
  let folder: URL
  let deviceFolder: URL
  static let identity = ApplicationIdentity("torture")
  static let group = "torture"

  init(folder: URL, device: URL) {
    self.folder = folder
    deviceFolder = device
  }

  static var passcode: SecretBytes { SecretBytes(utf8: "correct horse battery") }

  static let items: [(key: PrimaryKey, secret: String, protection: ItemProtection)] = [
    (.genericPassword(service: "mail", account: "eva"), "secret of eva", .whenUnlocked),
    (
      .genericPassword(service: "mail", account: "adam"), "secret of adam",
      .accessible(.alwaysThisDeviceOnly)
    ),
    (
      .internetPassword(server: "example.com", account: "eva", port: 443), "secret of the net",
      .accessible(.afterFirstUnlock)
    ),
    (
      .certificate(issuer: Data([1, 2, 3]), serialNumber: Data([4])), "der of a certificate",
      .accessible(.always)
    ),
    (
      .genericPassword(service: "vault", account: "eva"), String(repeating: "long ", count: 40),
      .accessible(.whenPasscodeSetThisDeviceOnly)
    ),
  ]

  func keybag() throws -> Keybag {
    try Keybag.open(at: folder, device: FileDeviceKey.openOrCreate(in: deviceFolder))
  }

  func make() throws {
    let keybag = try Keybag.create(
      at: folder, device: FileDeviceKey.openOrCreate(in: deviceFolder), passcode: Self.passcode,
      options: .init(kdf: .forTesting))
    let keychain = try Keychain.open(keybag, identity: Self.identity)
    for item in Self.items {
      try keychain.add(
        item.key, secret: SecretBytes(utf8: item.secret), attributes: [.label: "label"],
        protection: item.protection)
    }
    keychain.close()
  }
}
