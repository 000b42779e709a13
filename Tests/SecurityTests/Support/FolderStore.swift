import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Foundation
import GRDB

/// A store in a folder of its own. A test can edit its database without the keychain.
final class FolderStore {
  private let folder: URL
  private let keybag: Keybag
  private var keychain: Keychain

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("atrest-\(UUID().uuidString)")
    keybag = try Keybag.create(
      at: folder.appendingPathComponent("store"),
      device: FileDeviceKey.openOrCreate(in: folder.appendingPathComponent("device")),
      options: Keybag.Options(kdf: .forTesting))
    keychain = try Keychain.open(keybag, identity: ApplicationIdentity("com.example.app"))
  }

  deinit {
    keychain.close()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Runs code that uses the default keychain on this store.
  func run(_ body: () throws -> Void) rethrows {
    let keychain = keychain
    let source = DefaultKeychain.Source(keychain: { keychain }, record: { _ in })
    try DefaultKeychain.$taskSource.withValue(source) { try body() }
  }

  /// Closes the keychain, edits its database, and opens it again.
  func edit(_ sql: String) throws {
    keychain.close()
    let queue = try DatabaseQueue(path: folder.appendingPathComponent("store/keychain.db").path)
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
    keychain = try Keychain.open(keybag, identity: ApplicationIdentity("com.example.app"))
  }
}
