import AtRestCrypto
import AtRestKeychain
import Foundation

/// Pseudonyms that a third party receives instead of the real names of people and devices.
///
/// ```swift
/// let pseudonyms = account.pseudonyms            // end with the account's logout
/// analytics.identify(try pseudonyms.pseudonym(for: user.id, to: "analytics.example.com"))
/// ```
///
/// A recipient sees the same pseudonym for the same subject each time. Two recipients cannot find
/// out that their pseudonyms stand for the same subject, or which subject a pseudonym stands for,
/// even if they have a list of all subjects: each recipient's pseudonyms are made with a separate
/// random key, which stays in the keychain. Other data sent with a pseudonym may still identify the
/// subject.
///
/// A pseudonym is 128 bits of an HMAC-SHA-256, written as 26 characters of `a` to `z` and `2` to
/// `7` (base32 of RFC 4648, in lower case, without padding).
///
/// Safe to use from several threads and processes.
public struct Pseudonyms: BlockingCalls {
  private static let purpose = Purpose("atrest.pseudonym.v1")
  private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

  private let keychain: Keychain
  private let service: String
  private let protection: ItemProtection
  private let owner: ItemOwner?

  /// Creates pseudonyms with keys that are stored in a keychain.
  ///
  /// - Parameters:
  ///   - service: The service of the items that hold the keys. A different service gives different
  ///     pseudonyms.
  ///   - protection: The protection of the keys. The default makes the keys available in the
  ///     background and never moves them to another device.
  public init(
    in keychain: Keychain, service: String = "atrest.pseudonyms",
    protection: ItemProtection = .accessible(.afterFirstUnlockThisDeviceOnly)
  ) {
    self.keychain = keychain
    self.service = service
    self.protection = protection
    owner = nil
  }

  init(in keychain: Keychain, of owner: ItemOwner) {
    self.keychain = keychain
    service = owner.service
    protection = .accessible(.afterFirstUnlockThisDeviceOnly)
    self.owner = owner
  }

  private func item(_ recipient: String) -> PrimaryKey {
    .genericPassword(service: service, account: recipient)
  }

  private static func text(
    _ subject: Data, _ recipient: String, _ root: borrowing SecretBytes
  ) -> String {
    // The derived key also depends on the recipient, so a key copied to another recipient's item is
    // useless.
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

  /// Returns the pseudonym of a subject for a recipient. Creates the recipient's key if it does not
  /// exist.
  ///
  /// - Parameters:
  ///   - subject: The subject, compared by its bytes. Normalise subjects that can be written in
  ///     several ways.
  ///   - recipient: A name of your choice for the recipient, such as its domain.
  /// - Throws: The errors of ``Keychain``'s `getOrCreate`, including ``AtRestError/Code/locked``. A
  ///   key that cannot be read is never replaced with a new one.
  public func pseudonym(for subject: Data, to recipient: String) throws -> String {
    let root = try keychain.getOrCreate(item(recipient), for: owner, protection: protection) {
      .random(count: 32)
    }
    return Self.text(subject, recipient, root)
  }

  /// Returns the pseudonym of a subject that has a textual name.
  ///
  /// - Throws: The errors of the form that takes `Data`.
  public func pseudonym(for subject: String, to recipient: String) throws -> String {
    try pseudonym(for: Self.bytes(subject), to: recipient)
  }

  /// Replaces a recipient's key. The recipient gets new pseudonyms from now on, and cannot link
  /// them to the former ones.
  ///
  /// - Throws: ``AtRestError/Code/locked``; ``AtRestError/Code/system``.
  public func rotate(for recipient: String) throws {
    try keychain.creating(for: owner) {
      try keychain.set(item(recipient), secret: .random(count: 32), protection: protection)
    }
  }

  /// Destroys a recipient's key, so nobody can determine which subjects the recipient's pseudonyms
  /// stood for. Destroying a key needs no unlock.
  ///
  /// If the recipient has no key, nothing happens.
  ///
  /// - Throws: ``AtRestError/Code/system``.
  public func forget(_ recipient: String) throws {
    do {
      try keychain.delete(item(recipient))
    } catch AtRestError.Code.notFound {}
  }

  /// Destroys the keys of all recipients, even while the keychain is locked.
  ///
  /// - Throws: ``AtRestError/Code/system``.
  public func forgetAll() throws {
    try keychain.delete(matching: KeychainQuery(.genericPassword, [.service: .text(service)]))
  }
}
