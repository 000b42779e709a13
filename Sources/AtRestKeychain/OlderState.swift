import AtRestCrypto
import AtRestKeybag
import Foundation

/// A summary of a database that is older than the device remembers. Read it before you accept the
/// database.
package struct OlderState: Sendable {
  /// The number of the last change in the database, or 0 if there are no changes.
  package let change: UInt64
  /// The number of the last change that the device remembers, or nil if the device has no record of
  /// the store or the record was modified.
  package let rememberedChange: UInt64?
  /// The number of items.
  package let itemCount: Int
  /// The number of items that will be deleted when the database is accepted, because the passcode
  /// under which they were stored no longer exists.
  package let doomedCount: Int
}

extension Keychain {
  /// Inspects a database that may be older than the device remembers, without changing anything.
  ///
  /// Accept an older database with `open(_:identity:authenticator:acceptingOlder:usesAgent:)`, which
  /// requires an unlocked store.
  ///
  /// - Returns: The older state, or nil if the database matches the device's record or is newer.
  /// - Throws: ``AtRestError/Code/damaged``; ``AtRestError/Code/unsupportedVersion``;
  ///   ``AtRestError/Code/system``.
  package static func olderState(of keybag: Keybag) throws -> OlderState? {
    let keychain = try Keychain(keybag, identity: .owner(), opening: .inspecting)
    defer { keychain.close() }
    return try keychain.directly("inspects no stores") { try $0.database.olderState() }
  }
}

extension KeychainDatabase {
  func olderState() throws -> OlderState? {
    try mapped {
      try connection.exclusively {
        let seen = try? anchor.read()
        let index = session?.index
        if let seen, let head = index?.head, index?.isLoaded == true,
          (try? anchor.check(head, seen: seen, accepting: false, path)) != nil
        {
          return nil
        }
        var doomed = 0
        if let index, index.isLoaded {
          let isGone =
            index.head.passcodeClassID != keybag.keyID(of: .whenPasscodeSetThisDeviceOnly) ?? 0
          let number = KeyClass.whenPasscodeSetThisDeviceOnly.rawValue
          try index.forEach { if isGone && $0.info.keyClassNumber == number { doomed += 1 } }
        }
        return OlderState(
          change: index?.head.counter ?? 0, rememberedChange: seen?.counter,
          itemCount: index?.count ?? 0, doomedCount: doomed)
      }
    }
  }
}
