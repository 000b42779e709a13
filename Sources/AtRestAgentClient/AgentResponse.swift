import AtRestCrypto
import Foundation

/// An answer of the agent. `docs/Agent.md` describes its bytes.
public enum AgentResponse: Sendable {
  /// The request was carried out.
  case done
  /// The secret of an item.
  case secret(AgentSecret)
  /// A status, items, grants or entries of the log, as JSON.
  case document(Data)
  /// The request was refused, or failed.
  case refused(AtRestError)

  private static let largestText = 4096

  /// Returns the bytes of the message, without its length.
  public func encoded() -> SecretBytes {
    switch self {
    case .done: return SecretBytes([AgentRequest.version, 0] as [UInt8])
    case .secret(let secret):
      return secret.bytes.withUnsafeBytes { secret in
        SecretBytes(count: secret.count + 2) { bytes in
          bytes[0] = AgentRequest.version
          bytes[1] = 1
          UnsafeMutableRawBufferPointer(rebasing: bytes[2...]).copyMemory(from: secret)
        }
      }
    case .document(let data): return SecretBytes(Data([AgentRequest.version, 2]) + data)
    case .refused(let error):
      var writer = ByteWriter()
      writer.integer(AgentRequest.version)
      writer.integer(UInt8(3))
      for text in [error.code.rawValue, error.message, error.remedy] {
        writer.counted(Data(text.utf8.prefix(Self.largestText)))
      }
      return SecretBytes(writer.bytes)
    }
  }

  /// Reads a message.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` for other bytes;
  ///   ``AtRestError/Code/unsupportedVersion``.
  public init(decoding bytes: UnsafeRawBufferPointer) throws {
    var reader = ByteReader(bytes, name: "The agent's answer")
    let version: UInt8 = try reader.integer()
    guard version == AgentRequest.version else {
      throw AtRestError.unsupported(
        "The agent's answer", version: version, known: AgentRequest.version)
    }
    let kind: UInt8 = try reader.integer()
    switch kind {
    case 0: self = .done
    case 1: self = .secret(AgentSecret(SecretBytes(copying: try reader.fixed(reader.remaining))))
    case 2: self = .document(Data(try reader.fixed(reader.remaining)))
    case 3:
      var texts: [String] = []
      for _ in 0..<3 {
        texts.append(
          String(decoding: try reader.counted(limit: Self.largestText), as: UTF8.self))
      }
      self = .refused(AtRestError(.init(rawValue: texts[0]), texts[1], remedy: texts[2]))
    default:
      throw AtRestError.damaged(
        "The agent's answer has no meaning in this version of the protocol.",
        remedy: "Use the same version of atrest and atrest-agent.")
    }
    try reader.finish()
  }
}
