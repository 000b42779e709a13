@_spi(Tools) import AtRestCrypto
import AtRestKeyServerProtocol
import AtRestKeychain
import Crypto
import Foundation

/// Keeps shares and wrapping keys in the keychain, so that they can be used without the key server
/// for the time that the account's policy allows.
///
/// Each is an item that is readable while the store is unlocked, and never leaves this device. The
/// time runs from the server's last answer. It follows a clock that cannot be set, and across a
/// restart the system's clock: if that clock is behind the last use, the key is refused. Time that
/// passes while the machine is off, and which the system's clock does not show afterwards, is not
/// counted.
///
/// Keys from passphrases are never kept, because the server could not count the guesses.
///
/// ```swift
/// let client = KeyServerClient(
///   identity, key: key, transport: transport, offline: OfflineKeys(in: keychain))
/// ```
public struct OfflineKeys: Sendable {
  private let keychain: Keychain
  private let clock: OfflineClock

  /// Keeps keys in a keychain.
  public init(in keychain: Keychain) { self.init(in: keychain, clock: .system) }

  /// Keeps keys in a keychain, with a clock for tests.
  package init(in keychain: Keychain, clock: OfflineClock) {
    self.keychain = keychain
    self.clock = clock
  }

  // MARK: Keys

  /// Keeps an answer of the server, or removes an earlier one if the policy does not allow it.
  func keep(
    _ answer: KeyRequest.Answer, for request: KeyRequest, of identity: KeyServerIdentity
  ) throws {
    guard answer.offlineSeconds > 0 else { return try remove(request, of: identity) }
    var wanted = request
    // A wrapped key names its version, also if it was wrapped under the current one.
    if request.kind == .keyEncryption { wanted.version = answer.version }
    try write(Kept(used: 0, seen: clock.now(), answer: answer), item(wanted, identity))
  }

  /// Returns the answer that was kept, or nil if no answer was kept.
  ///
  /// - Throws: `AtRestError.Code.offlineExpired`; the errors of the keychain.
  func answer(
    to request: KeyRequest, of identity: KeyServerIdentity
  ) throws -> KeyRequest.Answer? {
    let item = item(request, identity)
    var kept: Kept
    do {
      kept = try keychain.secret(for: item).withUnsafeBytes { try Kept(decoding: Data($0)) }
    } catch AtRestError.Code.notFound {
      return nil
    }
    let now = clock.now()
    guard let passed = now.milliseconds(since: kept.seen) else {
      throw Self.expired("The system's clock is behind the last use of this key.")
    }
    kept.used += passed
    guard kept.used <= UInt64(kept.answer.offlineSeconds) * 1000 else {
      try keychain.delete(item)
      throw Self.expired("The time for use without the key server is over.")
    }
    if passed > 0 {
      kept.seen = now
      try write(kept, item)
    }
    return kept.answer
  }

  /// Removes a key.
  func remove(_ request: KeyRequest, of identity: KeyServerIdentity) throws {
    do {
      try keychain.delete(item(request, identity))
    } catch AtRestError.Code.notFound {
      return
    }
  }

  /// Removes all keys of a device.
  func removeAll(of identity: KeyServerIdentity) throws {
    try keychain.delete(
      matching: KeychainQuery(.genericPassword, [.service: .text(service(identity))]))
  }

  private static func expired(_ message: String) -> AtRestError {
    AtRestError(.offlineExpired, message, remedy: "Connect to the key server, and try again.")
  }

  private func write(_ kept: Kept, _ item: PrimaryKey) throws {
    var data = kept.encoded
    try keychain.set(
      item, secret: SecretBytes(erasing: &data),
      protection: .accessible(.whenUnlockedThisDeviceOnly))
  }

  private func service(_ identity: KeyServerIdentity) -> String {
    "atrest.keyserver.\((identity.realm + identity.device).hexadecimal)"
  }

  private func item(_ request: KeyRequest, _ identity: KeyServerIdentity) -> PrimaryKey {
    var request = request
    request.creates = false
    return .genericPassword(
      service: service(identity),
      account: Data(SHA256.hash(data: request.encoded)).hexadecimal)
  }
}

/// An answer of the server with the time for which it was used.
package struct Kept: Message {
  /// The milliseconds since the answer arrived, as far as they were seen.
  package var used: UInt64
  package var seen: OfflineClock.Reading
  package var answer: KeyRequest.Answer

  package init(used: UInt64, seen: OfflineClock.Reading, answer: KeyRequest.Answer) {
    self.used = used
    self.seen = seen
    self.answer = answer
  }

  package init(decoding bytes: Data) throws {
    self = try MessageReader.read(bytes, name: "A kept key") { reader in
      let version = try reader.integer(UInt8.self)
      guard version == 1 else {
        throw AtRestError(
          .unsupportedVersion, "A kept key has version \(version).",
          remedy: "Use a later version of AtRest.")
      }
      return Kept(
        used: try reader.integer(),
        seen: OfflineClock.Reading(
          boot: try reader.fixed(16), sinceBoot: try reader.integer(), system: try reader.integer()),
        answer: try KeyRequest.Answer(decoding: reader.counted(limit: 64)))
    }
  }

  package var encoded: Data {
    var writer = MessageWriter()
    writer.integer(UInt8(1))
    writer.integer(used)
    writer.fixed(seen.boot)
    writer.integer(seen.sinceBoot)
    writer.integer(seen.system)
    writer.counted(answer.encoded)
    return writer.data
  }
}
