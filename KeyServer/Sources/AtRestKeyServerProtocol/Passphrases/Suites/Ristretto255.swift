import AtRestCrypto
import CSodium
import Foundation

/// The group ristretto255. All its operations are libsodium's; this type only refuses what RFC 9497 refuses: bytes that
/// are not the canonical encoding of an element, and the identity.
package enum Ristretto255 {
  /// The size of an element and of a scalar in bytes.
  package static let count = 32

  private static let isReady = sodium_init() >= 0

  /// Chooses the implementations for this processor, before the first use.
  static func prepare() { precondition(isReady, "libsodium cannot be used.") }

  /// Returns true if bytes are an element other than the identity.
  package static func isElement(_ bytes: Data) -> Bool {
    guard bytes.count == count, bytes.contains(where: { $0 != 0 }) else { return false }
    return bytes.withUnsafeBytes { crypto_core_ristretto255_is_valid_point($0.pointer) == 1 }
  }

  /// Multiplies an element by a scalar.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if the element is not valid, or the product is the identity.
  package static func multiply(_ element: Data, by scalar: borrowing Scalar) throws -> Data {
    var product = Data(count: count)
    try element.withUnsafeBytes { element in
      try product.withUnsafeMutableBytes { try multiply(element, by: scalar, into: $0) }
    }
    return product
  }

  /// Multiplies a secret element by a scalar.
  static func multiply(
    _ element: borrowing SecretBytes, by scalar: borrowing Scalar
  ) throws -> Data {
    var product = Data(count: count)
    try element.withUnsafeBytes { element in
      try product.withUnsafeMutableBytes { try multiply(element, by: scalar, into: $0) }
    }
    return product
  }

  /// Multiplies an element by a scalar. The product is a secret.
  static func secretMultiple(
    of element: borrowing SecretBytes, by scalar: borrowing Scalar
  ) throws -> SecretBytes {
    try element.withUnsafeBytes { element in
      try SecretBytes(count: count) { try multiply(element, by: scalar, into: $0) }
    }
  }

  private static func multiply(
    _ element: UnsafeRawBufferPointer, by scalar: borrowing Scalar,
    into product: UnsafeMutableRawBufferPointer
  ) throws {
    guard element.count == count else { throw notAnElement }
    // libsodium refuses bytes that are no element, and a product that is the identity.
    let status = scalar.bytes.withUnsafeBytes {
      crypto_scalarmult_ristretto255(product.pointer, $0.pointer, element.pointer)
    }
    guard status == 0 else { throw notAnElement }
  }

  /// Multiplies the group's generator by a scalar.
  package static func multiplyGenerator(by scalar: borrowing Scalar) throws -> Data {
    var product = Data(count: count)
    let status = product.withUnsafeMutableBytes { product in
      scalar.bytes.withUnsafeBytes {
        crypto_scalarmult_ristretto255_base(product.pointer, $0.pointer)
      }
    }
    guard status == 0 else { throw notAnElement }
    return product
  }

  /// Adds two elements.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if one is not valid.
  package static func add(_ a: Data, _ b: Data) throws -> Data {
    guard a.count == count, b.count == count else { throw notAnElement }
    var sum = Data(count: count)
    let status = sum.withUnsafeMutableBytes { sum in
      a.withUnsafeBytes { a in
        b.withUnsafeBytes { crypto_core_ristretto255_add(sum.pointer, a.pointer, $0.pointer) }
      }
    }
    guard status == 0 else { throw notAnElement }
    return sum
  }

  static var notAnElement: AtRestError {
    AtRestError(damaged: "A value is not an element of ristretto255, or is the identity.")
  }

  /// A number modulo the order of the group.
  package struct Scalar: ~Copyable, Sendable {
    /// The canonical encoding, 32 bytes, little-endian.
    package let bytes: SecretBytes

    private init(_ bytes: consuming SecretBytes) { self.bytes = bytes }

    /// Creates a random scalar other than zero.
    package init() {
      Ristretto255.prepare()
      self.init(
        SecretBytes(count: Ristretto255.count) {
          crypto_core_ristretto255_scalar_random($0.pointer)
        })
    }

    /// Reduces 64 uniform bytes, little-endian.
    package init(reducing uniform: borrowing SecretBytes) {
      precondition(uniform.count == 64, "A scalar is reduced from 64 bytes.")
      self.init(Self.reduced(uniform))
    }

    /// Decodes a scalar.
    ///
    /// - Throws: ``AtRestError/Code/damaged`` if the bytes are not the canonical encoding.
    package init(decoding encoded: borrowing SecretBytes) throws {
      let damaged = AtRestError(damaged: "A value is not a scalar of ristretto255.")
      guard encoded.count == Ristretto255.count else { throw damaged }
      let padded = encoded.withUnsafeBytes { encoded in
        SecretBytes(count: 64) {
          UnsafeMutableRawBufferPointer(rebasing: $0[..<encoded.count]).copyMemory(from: encoded)
        }
      }
      let reduced = Self.reduced(padded)
      guard reduced.isEqual(to: encoded) else { throw damaged }
      self.init(reduced)
    }

    private static func reduced(_ uniform: borrowing SecretBytes) -> SecretBytes {
      uniform.withUnsafeBytes { uniform in
        SecretBytes(count: Ristretto255.count) {
          crypto_core_ristretto255_scalar_reduce($0.pointer, uniform.pointer)
        }
      }
    }

    package var isZero: Bool {
      bytes.withUnsafeBytes { bytes in bytes.reduce(0, |) == 0 }
    }

    /// The inverse of a scalar other than zero.
    package func inverted() -> Scalar {
      Scalar(
        bytes.withUnsafeBytes { bytes in
          SecretBytes(count: Ristretto255.count) {
            let status = crypto_core_ristretto255_scalar_invert($0.pointer, bytes.pointer)
            precondition(status == 0, "Zero has no inverse.")
          }
        })
    }

    package func multiplied(by other: borrowing Scalar) -> Scalar {
      combined(other, crypto_core_ristretto255_scalar_mul)
    }

    package func adding(_ other: borrowing Scalar) -> Scalar {
      combined(other, crypto_core_ristretto255_scalar_add)
    }

    package func subtracting(_ other: borrowing Scalar) -> Scalar {
      combined(other, crypto_core_ristretto255_scalar_sub)
    }

    private func combined(
      _ other: borrowing Scalar,
      _ operation: (
        UnsafeMutablePointer<UInt8>, UnsafePointer<UInt8>, UnsafePointer<UInt8>
      ) -> Void
    ) -> Scalar {
      Scalar(
        bytes.withUnsafeBytes { a in
          other.bytes.withUnsafeBytes { b in
            SecretBytes(count: Ristretto255.count) {
              operation($0.pointer, a.pointer, b.pointer)
            }
          }
        })
    }
  }
}

extension UnsafeRawBufferPointer {
  /// The pointer of a buffer that is not empty, as libsodium takes it.
  var pointer: UnsafePointer<UInt8> { baseAddress!.assumingMemoryBound(to: UInt8.self) }
}

extension UnsafeMutableRawBufferPointer {
  var pointer: UnsafeMutablePointer<UInt8> { baseAddress!.assumingMemoryBound(to: UInt8.self) }
}
