@_spi(Tools) import AtRestCrypto

/// A policy that ties an object to the present values of platform configuration registers (PCRs) in
/// the SHA-256 bank.
package struct TPMPolicy: Sendable, Equatable {
  /// The numbers of the registers, 0 to 23, in ascending order.
  package let pcrs: [Int]

  /// Creates a policy.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if there is no register, or one is not 0 to 23.
  package init(pcrs: [Int]) throws {
    guard !pcrs.isEmpty, pcrs.allSatisfy((0..<24).contains) else {
      throw AtRestError.invalid(
        "A PCR policy needs registers from 0 to 23.", remedy: "Name at least one, such as 7.")
    }
    self.pcrs = Set(pcrs).sorted()
  }

  /// Creates a policy from the bits of a mask, or nil if no bit is set.
  init?(mask: UInt32) throws {
    guard mask != 0 else { return nil }
    try self.init(pcrs: (0..<32).filter { mask >> UInt32($0) & 1 == 1 })
  }

  var mask: UInt32 { pcrs.reduce(0) { $0 | 1 << UInt32($1) } }

  /// The wire form of the selection (`TPML_PCR_SELECTION`).
  var selection: [UInt8] {
    var writer = ByteWriter()
    writer.integer(UInt32(1))
    writer.integer(TPMConstants.sha256)
    writer.integer(UInt8(3))
    for shift in [0, 8, 16] as [UInt32] {
      writer.integer(UInt8(truncatingIfNeeded: mask >> shift))
    }
    return writer.bytes
  }

  /// The registers as words, for messages.
  var names: String { pcrs.map(String.init).joined(separator: ", ") }
}
