@_spi(Tools) import AtRestCrypto
import AtRestFiles
import Foundation

/// Makes a protected file of class complete-unless-open, as an attacker without the store would.
///
/// It is written from `docs/Formats.md`, and uses none of the code that writes protected files.
struct FileForger {
  /// Derives the wrapping key from an agreement and both public keys.
  typealias Derivation = (
    _ agreed: borrowing SecretBytes, _ ephemeral: Data, _ publicKey: Data
  ) throws -> SecretBytes

  let store: Data
  let publicKey: Data
  /// The ephemeral public key and the agreed secret; nil generates a pair.
  var ephemeral: Data?

  func file(_ contents: Data, wrapping: Derivation) throws -> Data {
    let fileKey = SecretBytes.random(count: 32)
    let slot: Data
    if let ephemeral {
      let zero = SecretBytes(Data(count: 32))
      slot = ephemeral + (try WrappingKey(wrapping(zero, ephemeral, publicKey)).wrap(fileKey))
    } else {
      let pair = try PrivateKey.generate(.x25519)
      let drawn = try pair.publicKey.rawRepresentation()
      let agreed = try pair.sharedSecret(
        with: PublicKey(rawRepresentation: publicKey, algorithm: .x25519))
      slot = drawn + (try WrappingKey(wrapping(agreed, drawn, publicKey)).wrap(fileKey))
    }
    return try Self.file(contents, slot: Data([1, 2]) + store + slot, fileKey: fileKey)
  }

  /// The label and the inputs of a former derivation, for which public bytes sufficed.
  static func fromPublicKeyAlone(
    _ agreed: borrowing SecretBytes, _ ephemeral: Data, _ publicKey: Data
  ) -> SecretBytes {
    agreed.derive(Purpose("atrest.unless-open-wrap.v1"), context: ephemeral + publicKey)
  }

  /// The current inputs, with the given bytes in place of the writer's key.
  func present(writer: Data) -> Derivation {
    { agreed, ephemeral, publicKey in
      agreed.derive(
        Purpose("atrest.unless-open-slot.v1"), salt: writer,
        context: store + [2] + ephemeral + publicKey)
    }
  }

  private static func file(
    _ contents: Data, slot: Data, fileKey: borrowing SecretBytes
  ) throws -> Data {
    let identity = RandomBytes.data(count: 16)
    var writer = ByteWriter()
    writer.fixed(utf8: "AtRestPF")
    writer.integer(UInt16(1))
    writer.integer(UInt8(1))
    writer.integer(UInt32(256))
    writer.integer(UInt32(49_136))
    writer.fixed(identity)
    writer.integer(UInt64(0))
    writer.integer(UInt64(0))
    writer.integer(UInt8(1))
    writer.fixed([UInt8](repeating: 0, count: 12))
    writer.integer(UInt16(slot.count))
    writer.fixed(slot)
    writer.fixed([UInt8](repeating: 0, count: 256 - 32 - writer.bytes.count))
    let code = fileKey.derive(Purpose("atrest.file.header.v1"))
      .authenticationCode(for: writer.data)
    let cipher = ChunkCipher(
      fileKey.derive(Purpose("atrest.file.chunks.v1"), salt: identity))
    var chunk = Data(count: contents.count + ChunkCipher.overhead)
    try chunk.withUnsafeMutableBytes { chunk in
      try contents.withUnsafeBytes {
        try cipher.seal(
          $0, place: ChunkCipher.Place(counter: 0, index: 0, isLast: true), into: chunk)
      }
    }
    return writer.data + code + chunk
  }
}
