import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Foundation

/// The expected state of a store, and its comparison with a real one.
enum StoreModel {
  /// The store opens with the passcode and has exactly these secrets, by account.
  case whole(passcode: String?, items: [String: String], failedAttempts: ClosedRange<Int> = 0...0)
  /// The store was wiped.
  case wiped
  /// The passcode was tried too often, and any further attempt wipes the store.
  case wipedByNextAttempt(passcode: String)
  /// The store is refused because the device remembers a newer one.
  case refusedAsOlder

  /// Returns the reason why a store is not in this state, or nil if it is.
  func difference(from scratch: Scratch) -> String? {
    do {
      switch self {
      case .wiped:
        do {
          try Keybag.open(at: scratch.store, device: FileDeviceKey.openOrCreate(in: scratch.device))
            .close()
          return "it opens"
        } catch AtRestError.Code.wiped {
        } catch AtRestError.Code.notFound {}
      case .wipedByNextAttempt(let passcode):
        let keybag = try Keybag.open(
          at: scratch.store, device: FileDeviceKey.openOrCreate(in: scratch.device))
        defer { keybag.close() }
        do {
          try keybag.unlock(passcode: SecretBytes(utf8: passcode))
          return "it opens"
        } catch AtRestError.Code.wiped {}
        return StoreModel.wiped.difference(from: scratch)
      case .refusedAsOlder:
        do {
          let keybag = try Keybag.open(
            at: scratch.store, device: FileDeviceKey.openOrCreate(in: scratch.device))
          defer { keybag.close() }
          try Keychain.open(keybag, identity: .owner()).close()
          return "it opens"
        } catch AtRestError.Code.rolledBack {}
      case .whole(let passcode, let items, let failedAttempts):
        return try Self.difference(scratch, passcode, items, failedAttempts)
      }
      return nil
    } catch let error as AtRestError {
      return "\(error.code.rawValue): \(error.message)"
    } catch {
      return "\(error)"
    }
  }

  private static func difference(
    _ scratch: Scratch, _ passcode: String?, _ items: [String: String],
    _ failedAttempts: ClosedRange<Int>
  ) throws -> String? {
    let keybag = try Keybag.open(
      at: scratch.store, device: FileDeviceKey.openOrCreate(in: scratch.device))
    defer { keybag.close() }
    guard keybag.hasPasscode == (passcode != nil) else {
      return "a passcode is \(keybag.hasPasscode ? "" : "not ")set"
    }
    let attempts = try keybag.failedAttempts()
    guard failedAttempts.contains(attempts) else {
      return "\(attempts) failed attempts, not \(failedAttempts)"
    }
    if let passcode { try keybag.unlock(passcode: SecretBytes(utf8: passcode)) }
    let keychain = try Keychain.open(keybag, identity: ApplicationIdentity("torture"))
    defer { keychain.close() }
    let listed = try keychain.items(matching: KeychainQuery(.genericPassword), secrets: true)
    guard listed.withheld.isEmpty else { return "\(listed.withheld.count) items are withheld" }
    var found: [String: String] = [:]
    for item in listed {
      found[item.attributes.account ?? ""] = item.withSecret { String(decoding: $0, as: UTF8.self) }
    }
    guard found == items else { return "\(found.count) items, not \(items.count), or others" }
    for (account, value) in items {
      let key = PrimaryKey.genericPassword(service: "power", account: account)
      guard String(copying: try keychain.secret(for: key)) == value else {
        return "another value by key"
      }
    }
    let problems = try keychain.verify().problems
    guard problems.isEmpty else { return problems.map(\.message).joined(separator: " ") }
    // The store can still be written.
    let key = PrimaryKey.genericPassword(service: "power", account: "new")
    try keychain.add(key, secret: SecretBytes(utf8: "new"))
    try keychain.delete(key)
    return nil
  }
}
