@_spi(Tools) import AtRestCrypto
@_spi(Tools) import AtRestKeybag
import Foundation

/// An answer of the agent. `docs/Agent.md` describes its bytes.
@_spi(Tools) public enum AgentResponse: Sendable {
  /// The request was carried out.
  case done
  /// The secret of an item, or the key of a file.
  case secret(AgentSecret)
  /// A status, grants or entries of the log, as JSON.
  case document(Data)
  /// A reference, a public key (DER), a signature, a wrapped key, or a number of items (64 bits).
  case data(Data)
  /// Items, and those that are withheld.
  case items(KeychainItems)
  /// The request was refused, or failed.
  case refused(AtRestError)

  /// The answer to a greeting: the identity of the store that the agent serves.
  public static func greeting(_ store: StoreIdentity) -> AgentResponse {
    .data(store.bytes)
  }

  /// The size of the largest answer in bytes, without its length.
  static let largest = AgentLimits.answer

  /// Returns the bytes of the message, without its length.
  public func encoded() -> SecretBytes {
    switch self {
    case .done: return SecretBytes(Self.writer(.done).bytes)
    case .secret(let secret):
      return secret.bytes.withUnsafeBytes { secret in
        SecretBytes(count: secret.count + 2) { bytes in
          bytes[0] = AgentRequest.version
          bytes[1] = AgentAnswer.secret.rawValue
          UnsafeMutableRawBufferPointer(rebasing: bytes[2...]).copyMemory(from: secret)
        }
      }
    case .document(let data): return SecretBytes(Self.writer(.document).data + data)
    case .refused(let error):
      var writer = Self.writer(.refused)
      writer.error(error)
      return SecretBytes(writer.bytes)
    case .data(let data): return SecretBytes(Self.writer(.data).data + data)
    case .items(let items):
      var writer = Self.writer(.items)
      defer { writer.erase() }
      items.encode(into: &writer)
      guard writer.bytes.count <= Self.largest else {
        return AgentResponse.refused(
          .invalid(
            "The answer has \(writer.bytes.count) bytes; the agent sends at most \(Self.largest).",
            remedy: "Narrow the query, or give it a limit.")
        ).encoded()
      }
      return SecretBytes(writer.bytes)
    }
  }

  private static func writer(_ kind: AgentAnswer) -> ByteWriter {
    var writer = ByteWriter()
    writer.integer(AgentRequest.version)
    writer.integer(kind.rawValue)
    return writer
  }

  /// Reads a message.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` for other bytes;
  ///   ``AtRestError/Code/unsupportedVersion``.
  public init(decoding bytes: UnsafeRawBufferPointer) throws {
    var reader = ByteReader(bytes, name: "The agent's answer")
    switch try reader.answerKind() {
    case .done: self = .done
    case .secret:
      self = .secret(AgentSecret(SecretBytes(copying: try reader.fixed(reader.remaining))))
    case .document: self = .document(Data(try reader.fixed(reader.remaining)))
    case .refused: self = .refused(try reader.error())
    case .data: self = .data(Data(try reader.fixed(reader.remaining)))
    case .items: self = .items(try KeychainItems(from: &reader))
    }
    try reader.finish()
  }
}
