import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import AtRestSimulation
import Foundation
import GRDB

/// A store in its own folder, whose database a test can edit behind the keychain's back.
final class DiskStore {
  private let folder: URL
  let device: FileDeviceKey
  private(set) var keybag: Keybag
  private(set) var keychain: Keychain

  init(passcode: String? = nil) throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("atrest-\(UUID().uuidString)")
    device = try FileDeviceKey.openOrCreate(in: folder.appendingPathComponent("device"))
    let options = Keybag.Options(kdf: .forTesting)
    let store = folder.appendingPathComponent("store")
    if let passcode {
      keybag = try Keybag.create(
        at: store, device: device, passcode: SecretBytes(utf8: passcode), options: options)
    } else {
      keybag = try Keybag.create(at: store, device: device, options: options)
    }
    keychain = try Keychain.open(keybag, identity: ApplicationIdentity("com.example.app"))
  }

  deinit {
    keychain.close()
    try? FileManager.default.removeItem(at: folder)
  }

  var storeFolder: URL { folder.appendingPathComponent("store") }
  var databasePath: String { storeFolder.appendingPathComponent("keychain.db").path }

  /// Closes the keychain, edits its database, and opens it again.
  func edit(_ body: (Database) throws -> Void) throws {
    keychain.close()
    let queue = try DatabaseQueue(path: databasePath)
    try queue.write(body)
    try queue.close()
    keychain = try Keychain.open(keybag, identity: ApplicationIdentity("com.example.app"))
  }

  /// Overwrites a column of one row with zeros.
  func damage(_ column: String, of reference: PersistentReference) throws {
    try edit {
      try $0.execute(
        sql: "UPDATE item SET \(column) = zeroblob(length(\(column))) WHERE id = ?",
        arguments: [reference.rowID])
    }
  }
}

extension PersistentReference {
  /// The row's number, which is in the last eight bytes.
  var rowID: Int64 { data.suffix(8).reduce(0) { $0 << 8 | Int64($1) } }
}
