import AtRestKeychain
import AtRestCrypto
import Foundation

/// A request of the ssh-agent protocol (draft-ietf-sshm-ssh-agent).
enum SSHRequest: Sendable {
  case identities
  case sign(key: Data, data: Data, flags: UInt32)
  case add(SSHMemoryKeys.Key)
  case remove(key: Data)
  case removeAll
  case bind(hostKey: Data, session: Data, signature: Data, isForwarded: Bool)
  /// A request that this agent does not carry out.
  case other(UInt8)

  /// The size of the largest message.
  static let largest = 256 << 10

  /// Reads a message, without its length.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` or ``AtRestError/Code/invalidArgument`` for bytes of
  ///   another form.
  init(decoding bytes: UnsafeRawBufferPointer) throws {
    var reader = SSHReader(bytes)
    let type = try reader.byte()
    switch type {
    case 11: self = .identities
    case 13:
      let (key, data) = (Data(try reader.string()), Data(try reader.string()))
      self = .sign(key: key, data: data, flags: try reader.integer())
    case 17, 25:
      guard let key = try Self.key(&reader, constrained: type == 25) else {
        self = .other(type)
        return
      }
      self = .add(key)
    case 18: self = .remove(key: Data(try reader.string()))
    case 19: self = .removeAll
    case 27:
      guard try reader.text() == "session-bind@openssh.com" else {
        self = .other(type)
        return
      }
      let (host, session) = (Data(try reader.string()), Data(try reader.string()))
      let signature = Data(try reader.string())
      self = .bind(
        hostKey: host, session: session, signature: signature, isForwarded: try reader.byte() != 0)
    default:
      self = .other(type)
      return
    }
    try reader.finish()
  }

  /// Reads a private key with its comment and constraints. Returns nil for algorithms and
  /// constraints that this agent does not know.
  private static func key(
    _ reader: inout SSHReader, constrained: Bool
  ) throws -> SSHMemoryKeys.Key? {
    let name = try reader.text()
    let secret: AgentSecret
    let algorithm: KeyAlgorithm
    let given: PublicKey
    if name == "ssh-ed25519" {
      algorithm = .ed25519
      given = try PublicKey(rawRepresentation: Data(try reader.string()), algorithm: .ed25519)
      let pair = try reader.string()
      guard pair.count == 64 else { throw SSHReader.malformed }
      secret = AgentSecret(SecretBytes(copying: .init(rebasing: pair[..<32])))
    } else if name.hasPrefix("ecdsa-sha2-"),
      let curve = SSHPublicKey.algorithm(ofCurve: String(name.dropFirst("ecdsa-sha2-".count)))
    {
      algorithm = curve
      guard SSHPublicKey.algorithm(ofCurve: try reader.text()) == curve else {
        throw SSHReader.malformed
      }
      given = try PublicKey(x963Representation: Data(try reader.string()))
      let number = try reader.string().drop { $0 == 0 }
      let size = (algorithm.keySizeInBits + 7) / 8
      guard number.count <= size else { throw SSHReader.malformed }
      secret = AgentSecret(
        SecretBytes(count: size) { bytes in
          UnsafeMutableRawBufferPointer(rebasing: bytes[(size - number.count)...])
            .copyBytes(from: number)
        })
    } else {
      return nil
    }
    let comment = try reader.text()
    var (seconds, confirms): (UInt32?, Bool) = (nil, false)
    while constrained, !reader.isAtEnd {
      switch try reader.byte() {
      case 1: seconds = try reader.integer()
      case 2: confirms = true
      // A constraint that is not known must not be ignored.
      default: return nil
      }
    }
    let key = try PrivateKey(rawRepresentation: secret.bytes, algorithm: algorithm)
    guard key.publicKey == given, let publicKey = SSHPublicKey(given) else {
      throw SSHReader.malformed
    }
    return SSHMemoryKeys.Key(
      publicKey: publicKey, comment: comment, secret: secret,
      end: seconds.map { .now + .seconds(Int64($0)) }, needsConfirmation: confirms)
  }
}
