import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Crypto
import Foundation

/// The items that are measured: ten accounts per service, with a secret of 24 bytes.
enum Sample {
  static let secret = Data("0123456789abcdef01234567".utf8)
  static let otherSecret = Data("abcdef012345678901234567".utf8)
  static let perService = 10

  static func service(_ number: Int) -> String { "service-\(number / perService)" }

  static func key(_ number: Int) -> PrimaryKey {
    .genericPassword(service: service(number), account: "account-\(number)@example.com")
  }

  /// Returns an item of the one service that all items of a store have.
  static func keyOfOneService(_ number: Int) -> PrimaryKey {
    .genericPassword(service: "one-service", account: "account-\(number)@example.com")
  }

  /// Returns the key by which the bare table is searched: 16 bytes, as in the keychain's own table.
  static func hash(_ number: Int) -> Data {
    withUnsafeBytes(of: number.bigEndian) { Data(SHA256.hash(data: $0).prefix(16)) }
  }
}

/// A store in a folder of its own, without a passcode unless one is given.
struct Store {
  let folder: URL
  let device: FileDeviceKey
  let keychain: Keychain

  init(making folder: URL, passcode: String? = nil) throws {
    self.folder = folder
    device = try FileDeviceKey.openOrCreate(in: folder.appendingPathComponent("device"))
    let place = folder.appendingPathComponent("store")
    let keybag =
      if let passcode {
        try Keybag.create(at: place, device: device, passcode: SecretBytes(utf8: passcode))
      } else {
        try Keybag.create(at: place, device: device)
      }
    keychain = try Keychain.open(keybag, identity: Self.identity)
  }

  private static let identity = ApplicationIdentity("org.example.benchmark")

  /// Opens the same store with new objects, as another process would.
  func reopened() throws -> Keychain {
    try Keychain.open(
      Keybag.open(at: folder.appendingPathComponent("store"), device: device),
      identity: Self.identity)
  }

  var databasePath: String {
    folder.appendingPathComponent("store").appendingPathComponent("keychain.db").path
  }

  /// Adds items in one transaction.
  func add(_ keys: [PrimaryKey]) throws {
    let secret = SecretBytes(Sample.secret)
    try keychain.transaction { for key in keys { try keychain.add(key, secret: secret) } }
  }
}
