@_spi(Tools) import AtRestCrypto
import Foundation

/// An object of a TPM, encrypted by it, to store outside: sealed bytes or a key.
///
/// Only the TPM that made it can load it, under the same primary key. It may be stored anywhere.
package struct TPMObject: Sendable, Equatable {
  /// The longest encoding, in bytes. A sealed object of 32 bytes has about 220, a key about 240.
  package static let sizeLimit = 1024
  private static let version: UInt8 = 1

  /// The public area with its 16-bit count (`TPM2B_PUBLIC`).
  let publicArea: [UInt8]
  /// The encrypted private area with its 16-bit count (`TPM2B_PRIVATE`).
  let privateArea: [UInt8]
  /// The policy that must hold when the object is used, or nil if it needs none.
  package let policy: TPMPolicy?

  init(publicArea: [UInt8], privateArea: [UInt8], policy: TPMPolicy?) {
    self.publicArea = publicArea
    self.privateArea = privateArea
    self.policy = policy
  }

  /// The name of the object in the TPM.
  package var name: TPMName { TPMName(of: publicArea.dropFirst(2)) }

  /// The encoding: the version (1 byte), a mask of the policy's registers (4 bytes, 0 for none), the
  /// `TPM2B_PUBLIC` and the `TPM2B_PRIVATE`.
  package var data: Data {
    var writer = ByteWriter(capacity: 256)
    writer.integer(Self.version)
    writer.integer(policy?.mask ?? 0)
    writer.fixed(publicArea)
    writer.fixed(privateArea)
    return writer.data
  }

  /// Decodes an object. Only its structure is checked; the TPM checks the rest when it loads the
  /// object.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if it is malformed or too long;
  ///   ``AtRestError/Code/unsupportedVersion`` if a later version of AtRest made it.
  package init(_ data: Data) throws {
    guard data.count <= Self.sizeLimit else {
      throw AtRestError.damaged(
        "An object of the TPM has \(data.count) bytes; at most \(Self.sizeLimit) are allowed.")
    }
    self = try data.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, name: "An object of the TPM")
      let version = try reader.integer(UInt8.self)
      guard version == Self.version else {
        throw AtRestError.unsupported(
          "An object of the TPM", version: version, known: Self.version)
      }
      let mask = try reader.integer(UInt32.self)
      guard mask >> 24 == 0 else {
        throw AtRestError.damaged("An object of the TPM names registers that do not exist.")
      }
      let publicArea = try reader.sizedStructure(limit: Self.sizeLimit)
      let privateArea = try reader.sizedStructure(limit: Self.sizeLimit)
      try reader.finish()
      return TPMObject(
        publicArea: publicArea, privateArea: privateArea, policy: try TPMPolicy(mask: mask))
    }
  }
}
