import AtRest
import Foundation

public struct Statement: Codable, Hashable, Sendable { public let month, euros: String }
public struct Card: Codable, Hashable, Sendable { public let number, validUntil: String }

// sample: classify the data
extension VaultRecord<[Statement]> {
  // The owner's own data: under the device's keys, for at most 30 days.
  static var statements: VaultRecord { VaultRecord("statements", .statement, keep: .days(30)) }
}

extension VaultRecord<Card> {
  // Highly sensitive data: under a passphrase that only the user knows.
  static func card(_ ending: String) -> VaultRecord { VaultRecord("card \(ending)", .paymentCard) }
}

extension VaultRecord<Data> {
  // Equally sensitive and large: a file whose key is an item in the keychain.
  static var passport: VaultRecord { VaultRecord("passport", .identityDocument) }
}

extension Customer {
  public func addCard(_ number: String, validUntil: String) throws {
    let card = Card(number: number, validUntil: validUntil)
    try account.store(card, in: .card("\(number.suffix(4))"))
  }

  public func card(ending: String) throws -> Card { try account.value(in: .card(ending)) }

  public func keepPassport(_ scan: URL) throws { try account.store(.file(scan), in: .passport) }

  public func statements() async throws -> [Statement] {
    do {
      return try await account.value(in: .statements)
    } catch let error as AtRestError where error.refusal == .notFound {  // or expired
      let fetched = try await server.statements(tokens.token(for: account))
      try await account.store(fetched, in: .statements)
      return fetched
    }
  }
}
// sample: end

extension Customer {
  /// Returns the last digits of the card numbers. This does not need the passphrase.
  public func cards() throws -> [String] {
    try account.contents.filter { $0.kind == DataKind.paymentCard.name }
      .map { String($0.name.suffix(4)) }
  }

  public func showPassport(_ copy: URL) throws { try account.copy(.passport, to: .file(copy)) }

  /// Returns the payees: data of other people, and therefore sealed under the composite key.
  public func payees() throws -> [String] { try account.value(in: .payees, default: []) }

  public func add(payee: String) throws {
    try account.update(.payees, default: []) { $0.append(payee) }
  }

  public func language() throws -> String { try account.preferences.value(for: .language) }
  public func choose(_ code: String) throws { try account.preferences.set(code, for: .language) }
}

extension VaultRecord<[String]> {
  static var payees: VaultRecord { VaultRecord("payees", .contact) }
}
extension PreferenceKey<String> { static let language = PreferenceKey("language", default: "en") }
