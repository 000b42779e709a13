@_spi(Tools) import AtRestCrypto
import Foundation

/// A sequence of two integers in DER: an ECDSA signature, or an RSA public key.
///
/// The contents of an integer are also its form in SSH (`mpint`).
enum DERIntegers {
  /// Returns the contents of the two integers.
  static func pair(in data: Data) throws -> (Data, Data) {
    do {
      return try data.withUnsafeBytes { bytes in
        var outer = DERReader(bytes)
        var reader = try outer.enter(DER.sequence)
        try outer.finish()
        let pair = (Data(try reader.read(DER.integer)), Data(try reader.read(DER.integer)))
        try reader.finish()
        guard !pair.0.isEmpty, !pair.1.isEmpty else { throw SSHReader.malformed }
        return pair
      }
    } catch is DERError {
      throw SSHReader.malformed
    }
  }

  /// Returns the sequence of integers, each in the form of SSH.
  static func sequence(_ integers: [Data]) -> Data {
    Data(DER.element(DER.sequence, integers.flatMap { DER.element(DER.integer, Array($0)) }))
  }
}
