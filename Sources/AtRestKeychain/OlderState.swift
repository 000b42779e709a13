import AtRestCrypto
import AtRestKeybag
import Foundation

/// What a keychain holds whose database is older than the device remembers, before it is accepted.
public struct OlderState: Sendable {
  /// The last change in the database; 0 for a database without changes.
  public let change: UInt64
  /// The last change that the device remembers; nil: it remembers none, or its record was changed.
  public let rememberedChange: UInt64?
  /// How many items there are.
  public let itemCount: Int
  /// How many of them will be deleted, because the passcode that they were stored under is gone.
  public let doomedCount: Int
}

extension Keychain {
  /// Looks at a database that may be older than the device remembers. Changes nothing.
  ///
  /// Accept it with ``open(_:identity:authenticator:acceptingOlder:)``, which needs an unlocked store.
  ///
  /// - Returns: nil if the database is what the device remembers, or newer.
  /// - Throws: ``AtRestError/Code/damaged``; ``AtRestError/Code/unsupportedVersion``;
  ///   ``AtRestError/Code/system``.
  public static func olderState(of keybag: Keybag) throws -> OlderState? {
    let keychain = try Keychain(keybag, identity: .owner(), opening: .inspecting)
    defer { keychain.close() }
    return try keychain.database.olderState()
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
