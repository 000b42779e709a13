@_spi(Tools) import AtRestCrypto
@_spi(Tools) import AtRestKeybag
import Foundation

/// The bytes of a use of a key.
extension KeyUse {
  func encode(into writer: inout ByteWriter) {
    switch self {
    case .sign(let message, let scheme):
      writer.integer(UInt8(1))
      writer.counted(message)
      writer.optional(utf8: scheme?.name)
    case .signDigest(let digest, let form):
      writer.integer(UInt8(2))
      writer.counted(digest)
      let (code, function): (UInt8, DigestFunction) =
        switch form.scheme {
        case .ecdsa: (0, .sha256)
        case .ecdsaRaw: (1, .sha256)
        case .rsaPKCS1(let function): (2, function)
        case .rsaPSS(let function): (3, function)
        }
      writer.integer(code)
      writer.hash(function)
    case .agree(let other):
      writer.integer(UInt8(3))
      writer.counted(other.derRepresentation)
    case .agreeX963(let other, let hash, let info, let count):
      writer.integer(UInt8(4))
      writer.counted(other.derRepresentation)
      writer.hash(hash.function)
      writer.counted(info)
      writer.integer(count)
    case .decrypt(let ciphertext, let padding):
      writer.integer(UInt8(5))
      writer.counted(ciphertext)
      writer.counted(utf8: padding.padding.description)
    case .open(let envelope, let form):
      writer.integer(UInt8(6))
      writer.counted(envelope)
      switch form.form {
      case .ecies(let function, let derivesNonce):
        writer.flag(false)
        writer.hash(function)
        writer.flag(derivesNonce)
      case .rsa(let padding):
        writer.flag(true)
        writer.counted(utf8: padding.description)
      }
    }
  }

  init(from reader: inout ByteReader) throws {
    let code: UInt8 = try reader.integer()
    switch code {
    case 1:
      let message = try reader.data(limit: AgentRequest.largest)
      let scheme = try reader.optional { reader -> SignatureScheme in
        guard let scheme = SignatureScheme(name: try reader.text()) else {
          throw AgentLimits.malformed
        }
        return scheme
      }
      self = .sign(message, scheme)
    case 2:
      let digest = try reader.data(limit: AgentLimits.text)
      let form: UInt8 = try reader.integer()
      let function = try reader.hash()
      switch form {
      case 0: self = .signDigest(digest, Digest(scheme: .ecdsa))
      case 1: self = .signDigest(digest, Digest(scheme: .ecdsaRaw))
      case 2: self = .signDigest(digest, Digest(scheme: .rsaPKCS1(function)))
      case 3: self = .signDigest(digest, Digest(scheme: .rsaPSS(function)))
      default: throw AgentLimits.malformed
      }
    case 3: self = .agree(try reader.publicKey())
    case 4:
      self = .agreeX963(
        try reader.publicKey(), Hash(function: try reader.hash()),
        sharedInfo: try reader.data(limit: AgentRequest.largest), count: try reader.integer())
    case 5:
      self = .decrypt(
        try reader.data(limit: AgentRequest.largest), Padding(padding: try reader.padding()))
    case 6:
      let envelope = try reader.data(limit: AgentRequest.largest)
      let form: PublicKeyEnvelope =
        try reader.flag()
        ? .rsa(reader.padding()) : .ecies(reader.hash(), derivesNonce: reader.flag())
      self = .open(envelope, Envelope(form: form))
    default: throw AgentLimits.malformed
    }
  }
}

extension ByteWriter {
  fileprivate mutating func hash(_ function: DigestFunction) {
    let code: UInt8 =
      switch function {
      case .sha1: 1
      case .sha256: 2
      case .sha384: 3
      case .sha512: 4
      }
    integer(code)
  }
}

extension ByteReader {
  fileprivate mutating func hash() throws -> DigestFunction {
    let code: UInt8 = try integer()
    switch code {
    case 1: return .sha1
    case 2: return .sha256
    case 3: return .sha384
    case 4: return .sha512
    default: throw AgentLimits.malformed
    }
  }

  fileprivate mutating func publicKey() throws -> PublicKey {
    try PublicKey(importing: data(limit: AgentLimits.text))
  }

  fileprivate mutating func padding() throws -> EncryptionPadding {
    let name = try text()
    let all: [EncryptionPadding] = [.oaepSHA256, .oaepSHA1, .pkcs1]
    guard let padding = all.first(where: { $0.description == name }) else {
      throw AgentLimits.malformed
    }
    return padding
  }
}
