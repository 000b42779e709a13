@_spi(Tools) import AtRestCrypto
@_spi(Tools) import AtRestKeybag
import Foundation

/// The results in an answer to an operation on items. An answer of another kind is
/// ``AtRestError/Code/damaged``.
extension AgentResponse {
  func secret() throws -> SecretBytes {
    guard case .secret(let secret) = self else { throw AgentLimits.unexpectedAnswer }
    return secret.bytes.duplicate()
  }

  func items() throws -> KeychainItems {
    guard case .items(let items) = self else { throw AgentLimits.unexpectedAnswer }
    return items
  }

  func item() throws -> KeychainItem {
    guard let item = try items().first else { throw AgentLimits.unexpectedAnswer }
    return item
  }

  func data() throws -> Data {
    guard case .data(let data) = self else { throw AgentLimits.unexpectedAnswer }
    return data
  }

  func reference() throws -> PersistentReference { try PersistentReference(data: data()) }

  func count() throws -> Int {
    let data = try data()
    guard data.count == 8 else { throw AgentLimits.unexpectedAnswer }
    return data.reduce(0) { $0 << 8 | Int($1) }
  }

  func publicKey() throws -> PublicKey { try PublicKey(importing: data()) }

  func privateKey() throws -> PrivateKey {
    let secret = try secret()
    return try secret.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, name: "The agent's answer")
      guard let algorithm = KeyAlgorithm(name: try reader.text()) else {
        throw AgentLimits.unexpectedAnswer
      }
      return try PrivateKey(
        storage: SecretBytes(copying: reader.counted(limit: AgentLimits.text)),
        algorithm: algorithm)
    }
  }

  static func count(_ count: Int) -> AgentResponse {
    .data(withUnsafeBytes(of: Int64(count).bigEndian) { Data($0) })
  }

  static func publicKey(_ key: PublicKey) -> AgentResponse { .data(key.derRepresentation) }

  /// A private key: its algorithm as text, and its stored form.
  static func privateKey(_ key: borrowing PrivateKey) -> AgentResponse {
    var writer = ByteWriter()
    defer { writer.erase() }
    writer.counted(utf8: key.algorithm.name)
    key.storage.withUnsafeBytes { writer.counted($0) }
    return .secret(AgentSecret(SecretBytes(writer.bytes)))
  }
}
