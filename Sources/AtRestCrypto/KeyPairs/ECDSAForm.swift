import Foundation

/// The two forms of an ECDSA signature.
package enum ECDSAForm {
  /// Returns r ‖ s from `SEQUENCE { r, s }`.
  static func raw(of der: Data, count: Int) throws -> Data {
    try der.withUnsafeBytes { der in
      var outer = DERReader(der)
      var numbers = try outer.enter(DER.sequence)
      var raw = Data()
      for _ in 0..<2 {
        let number = try numbers.read(DER.integer).drop { $0 == 0 }
        guard number.count <= count else { throw DERError("a number is too long") }
        raw += Data(count: count - number.count) + number
      }
      return raw
    }
  }

  /// Returns `SEQUENCE { r, s }` from r ‖ s, or nil if the bytes do not have twice the count.
  ///
  /// - Parameter count: The number of bytes of each number.
  package static func der(of raw: Data, count: Int) -> Data? {
    guard raw.count == 2 * count else { return nil }
    let numbers = [raw.prefix(count), raw.suffix(count)].map { half in
      let number = Array(half.drop { $0 == 0 })
      // If the first bit is set, the number would be negative without a leading zero. Zero takes
      // one byte.
      let isPositive = number.first.map { $0 < 0x80 } ?? false
      return DER.element(DER.integer, isPositive ? number : [0] + number)
    }
    return Data(DER.element(DER.sequence, numbers[0] + numbers[1]))
  }
}
