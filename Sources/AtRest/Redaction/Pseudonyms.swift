import AtRestCrypto
import AtRestKeychain
import Foundation

/// Names for people and devices that a third party may have in place of the real ones.
///
/// ```swift
/// let pseudonyms = Pseudonyms(in: keychain)
/// analytics.identify(try pseudonyms.pseudonym(for: user.id, to: "analytics.example.com"))
/// ```
///
/// A recipient sees the same pseudonym for the same subject each time. Two recipients cannot find out
/// that theirs mean the same subject, nor whom they mean, even where they know every subject there is:
/// each recipient has a random key of its own, kept in the keychain. Whatever else is sent along may
/// still tell who it is.
///
/// A pseudonym is 128 bits of an HMAC-SHA-256, as 26 characters of `a` to `z` and `2` to `7` (base32 of
/// RFC 4648, in lower case, without padding).
///
/// Safe to use from several threads and processes.
public struct Pseudonyms: Sendable {
  private static let purpose = Purpose("atrest.pseudonym.v1")
  private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

  private let keychain: Keychain
  private let service: String
  private let protection: Protection

  /// Uses the keys of a keychain.
  ///
  /// - Parameters:
  ///   - service: Names the items of the keys; another one gives other pseudonyms.
  ///   - protection: When keys are there. The default serves work in the background and takes no
  ///     pseudonym to another device.
  public init(
    in keychain: Keychain, service: String = "atrest.pseudonyms",
    protection: Protection = .accessible(.afterFirstUnlockThisDeviceOnly)
  ) {
    self.keychain = keychain
    self.service = service
    self.protection = protection
  }

  private func item(_ recipient: String) -> PrimaryKey {
    .genericPassword(service: service, account: recipient)
  }

  private static func text(
    _ subject: Data, _ recipient: String, _ root: borrowing SecretBytes
  ) -> String {
    // Bound to the recipient too, so that a key that was copied to another item serves nobody.
    let key = root.derive(purpose, context: Data(recipient.utf8))
    var text: [UInt8] = []
    var bits: UInt16 = 0
    var count = 0
    for byte in key.authenticationCode(for: subject).prefix(16) {
      bits = bits << 8 | UInt16(byte)
      count += 8
      while count >= 5 {
        count -= 5
        text.append(alphabet[Int(bits >> UInt16(count) & 31)])
      }
    }
    text.append(alphabet[Int(bits << UInt16(5 - count) & 31)])
    return String(decoding: text, as: UTF8.self)
  }

  private static func bytes(_ subject: String) -> Data { Data(subject.utf8) }

  /// The pseudonym of a subject for a recipient. Makes the recipient's key where there is none.
  ///
  /// - Parameters:
  ///   - subject: Compared by its bytes: normalise what may be written in several ways.
  ///   - recipient: A name for it of your own, such as its domain.
  /// - Throws: What `getOrCreate` of ``Keychain`` throws, ``AtRestError/Code/locked`` among it: never
  ///   another pseudonym because a key could not be read.
  public func pseudonym(for subject: Data, to recipient: String) throws -> String {
    let root = try keychain.getOrCreate(item(recipient), protection: protection) {
      .random(count: 32)
    }
    return Self.text(subject, recipient, root)
  }

  /// The pseudonym of a subject that has a textual name.
  ///
  /// - Throws: As the form with bytes.
  public func pseudonym(for subject: String, to recipient: String) throws -> String {
    try pseudonym(for: Self.bytes(subject), to: recipient)
  }

  /// The pseudonym of a subject, off the caller's actor.
  public func pseudonym(for subject: Data, to recipient: String) async throws -> String {
    let root = try await keychain.getOrCreate(item(recipient), protection: protection) {
      .random(count: 32)
    }
    return Self.text(subject, recipient, root)
  }

  /// The pseudonym of a subject that has a textual name, off the caller's actor.
  public func pseudonym(for subject: String, to recipient: String) async throws -> String {
    try await pseudonym(for: Self.bytes(subject), to: recipient)
  }

  /// Gives a recipient new pseudonyms from now on, which it cannot link to those it has.
  ///
  /// - Throws: ``AtRestError/Code/locked``; ``AtRestError/Code/system``.
  public func rotate(for recipient: String) throws {
    try keychain.set(
      item(recipient), secret: .random(count: 32), protection: protection)
  }

  /// Gives a recipient new pseudonyms, off the caller's actor.
  public func rotate(for recipient: String) async throws {
    try await keychain.set(
      item(recipient), secret: .random(count: 32), protection: protection)
  }

  /// Destroys a recipient's key: nobody can tell any more whom its pseudonyms meant. Needs no unlock.
  ///
  /// Nothing happens where the recipient has none.
  ///
  /// - Throws: ``AtRestError/Code/system``.
  public func forget(_ recipient: String) throws {
    do {
      try keychain.delete(item(recipient))
    } catch AtRestError.Code.notFound {}
  }

  /// Destroys a recipient's key, off the caller's actor.
  public func forget(_ recipient: String) async throws {
    do {
      try await keychain.delete(item(recipient))
    } catch AtRestError.Code.notFound {}
  }

  /// Destroys the keys of all recipients. Needs no unlock.
  ///
  /// - Throws: ``AtRestError/Code/system``.
  public func forgetAll() throws {
    try keychain.delete(matching: Query(.genericPassword, [.service: .text(service)]))
  }
}
