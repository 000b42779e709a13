import AtRestCrypto
import CSodium
import Foundation

/// The hash functions of a mode of ristretto255-SHA512: RFC 9497, sections 3.1 and 4.1, over `expand_message_xmd` of
/// RFC 9380 with SHA-512.
package struct Ristretto255Context: Sendable {
  /// The verifiable mode, the only one that the key server uses. The tests use the vectors of all modes.
  static let verifiable = Ristretto255Context(mode: 1)

  /// `"OPRFV1-"` ‖ mode ‖ `"-ristretto255-SHA512"`.
  package let name: [UInt8]
  private let groupTag: [UInt8]
  private let scalarTag: [UInt8]
  let seedTag: [UInt8]

  package init(mode: UInt8) {
    Ristretto255.prepare()
    name = Array("OPRFV1-".utf8) + [mode] + Array("-ristretto255-SHA512".utf8)
    groupTag = Self.tag("HashToGroup-", name)
    scalarTag = Self.tag("HashToScalar-", name)
    seedTag = Array("Seed-".utf8) + name
  }

  /// A domain separation tag, followed by its size.
  private static func tag(_ label: String, _ name: [UInt8]) -> [UInt8] {
    let tag = Array(label.utf8) + name
    return tag + [UInt8(tag.count)]
  }

  /// Hashes an input to an element, which is a secret as the input is.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if it is the identity.
  package func element(hashing input: borrowing SecretBytes) throws -> SecretBytes {
    let uniform = Self.expand(input, groupTag)
    let element = uniform.withUnsafeBytes { uniform in
      SecretBytes(count: Ristretto255.count) {
        _ = crypto_core_ristretto255_from_hash($0.pointer, uniform.pointer)
      }
    }
    guard !element.withUnsafeBytes({ $0.allSatisfy { $0 == 0 } }) else {
      throw AtRestError.notHashed()
    }
    return element
  }

  /// Hashes a message to a scalar.
  ///
  /// - Parameter label: Another tag than that of the transcripts, for the derivation of keys.
  package func scalar(
    hashing message: [UInt8], label: String? = nil
  ) -> Ristretto255.Scalar {
    let tag = label.map { Self.tag($0, name) } ?? scalarTag
    return Ristretto255.Scalar(
      reducing: Self.expand(SecretBytes(message), tag))
  }

  /// The first output of `expand_message_xmd`, which has the 64 bytes that both hash functions need.
  private static func expand(_ message: borrowing SecretBytes, _ tag: [UInt8]) -> SecretBytes {
    let first = SecretBytes(count: 64) { result in
      hash(into: result) { update in
        [UInt8](repeating: 0, count: 128).withUnsafeBytes(update)
        message.withUnsafeBytes(update)
        [UInt8](arrayLiteral: 0, 64, 0).withUnsafeBytes(update)
        tag.withUnsafeBytes(update)
      }
    }
    return SecretBytes(count: 64) { result in
      hash(into: result) { update in
        first.withUnsafeBytes(update)
        [UInt8](arrayLiteral: 1).withUnsafeBytes(update)
        tag.withUnsafeBytes(update)
      }
    }
  }

  /// The output of the function: SHA-512 of the input, further parts and the unblinded element, each with its count.
  package static func output(
    _ input: UnsafeRawBufferPointer, _ unblinded: borrowing SecretBytes, info parts: [[UInt8]] = []
  ) -> SecretBytes {
    SecretBytes(count: 64) { result in
      hash(into: result) { update in
        func counted(_ bytes: UnsafeRawBufferPointer) {
          withUnsafeBytes(of: UInt16(bytes.count).bigEndian, update)
          update(bytes)
        }
        counted(input)
        for part in parts { part.withUnsafeBytes(counted) }
        unblinded.withUnsafeBytes(counted)
        Array("Finalize".utf8).withUnsafeBytes(update)
      }
    }
  }

  static func hash(_ message: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 64)
    digest.withUnsafeMutableBytes { digest in
      hash(into: digest) { update in message.withUnsafeBytes(update) }
    }
    return digest
  }

  /// SHA-512. Its state is erased.
  private static func hash(
    into digest: UnsafeMutableRawBufferPointer,
    _ body: (_ update: (UnsafeRawBufferPointer) -> Void) -> Void
  ) {
    withUnsafeTemporaryAllocation(of: crypto_hash_sha512_state.self, capacity: 1) { states in
      let state = states.baseAddress!
      crypto_hash_sha512_init(state)
      body { bytes in
        guard !bytes.isEmpty else { return }
        crypto_hash_sha512_update(state, bytes.pointer, UInt64(bytes.count))
      }
      crypto_hash_sha512_final(state, digest.pointer)
      sodium_memzero(state, MemoryLayout<crypto_hash_sha512_state>.size)
    }
  }
}
