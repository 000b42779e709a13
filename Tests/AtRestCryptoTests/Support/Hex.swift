import AtRestCrypto
import Foundation

extension Data {
  /// Returns the bytes of a hexadecimal text. Stops the test if it is not hexadecimal.
  init(hex: some StringProtocol) {
    func value(_ digit: UInt8) -> UInt8 {
      switch digit {
      case 0x30...0x39: digit - 0x30
      case 0x61...0x66: digit - 0x61 + 10
      case 0x41...0x46: digit - 0x41 + 10
      default: preconditionFailure("Not hex.")
      }
    }
    let digits = Array(hex.utf8)
    precondition(digits.count % 2 == 0, "Hex has two digits a byte.")
    var bytes = [UInt8]()
    bytes.reserveCapacity(digits.count / 2)
    for index in stride(from: 0, to: digits.count, by: 2) {
      bytes.append(value(digits[index]) << 4 | value(digits[index + 1]))
    }
    self = Data(bytes)
  }

  var hex: String { map { String(format: "%02x", $0) }.joined() }
}

extension SecretBytes {
  init(hex: some StringProtocol) { self.init(Data(hex: hex)) }

  /// Returns a copy outside locked memory, for comparisons in expectations.
  var revealed: Data { Data(copying: self) }
}
