@_spi(Tools) import AtRestCrypto
import Foundation

/// A counter in a TPM's non-volatile memory that can only grow.
///
/// Its value survives deletion: a new counter starts above every counter that the TPM ever had. The
/// memory wears out after 10⁵ to 10⁶ steps, so a step is not for every write of a store.
///
/// Store the value, authenticated: ``name`` shows whether the index was replaced by one with other
/// attributes.
package struct TPMCounter: Sendable, Hashable, CustomStringConvertible {
  /// The indices of AtRest's counters. They are a part of those that the owner hierarchy may use, which
  /// are 0180_0000 to 01BF_FFFF (TCG Registry of Reserved TPM 2.0 Handles, section 2.2).
  static let indices: ClosedRange<UInt32> = 0x01A7_0000...0x01A7_FFFF
  /// `TPMA_NV` of a counter (TPM 2.0 Library, part 2, section 13.4): type COUNTER, AUTHWRITE,
  /// AUTHREAD, NO_DA, and WRITTEN after the first step.
  private static let attributes: UInt32 = 0x0204_0014
  private static let written: UInt32 = 0x2000_0000

  /// The NV index, such as 0x01A7_0000.
  package let index: UInt32

  /// The index in hexadecimal, as tpm2-tools write it: `0x1a70000`.
  package var description: String { "0x\(String(index, radix: 16))" }

  /// Describes the counter at an index, which must be one of AtRest's.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if it is not.
  package init(index: UInt32) throws {
    guard Self.indices.contains(index) else {
      throw AtRestError.damaged("The index of a TPM counter is out of its range.")
    }
    self.index = index
  }

  /// The name that the index has in the TPM after its first step: a hash of the index and its
  /// attributes.
  package var name: TPMName { TPMName(of: area(isWritten: true)) }

  /// The `TPM2B_NV_PUBLIC` that defines the index.
  var definition: [UInt8] {
    var writer = ByteWriter()
    writer.sized(area(isWritten: false))
    return writer.bytes
  }

  /// True if a `TPMS_NV_PUBLIC` is that of this counter, before or after its first step.
  func isArea(_ area: [UInt8]) -> Bool {
    area == self.area(isWritten: true) || area == self.area(isWritten: false)
  }

  private func area(isWritten: Bool) -> [UInt8] {
    var writer = ByteWriter()
    writer.integer(index)
    writer.integer(TPMConstants.sha256)
    writer.integer(isWritten ? Self.attributes | Self.written : Self.attributes)
    writer.sized([])
    writer.integer(UInt16(8))
    return writer.bytes
  }
}
