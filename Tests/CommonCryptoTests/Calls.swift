import CommonCrypto
import Foundation

extension Data {
  /// Creates data from hexadecimal digits, with or without spaces.
  init(hex: String) {
    let digits = hex.compactMap(\.hexDigitValue)
    self.init(
      stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
  }

  var hex: String { map { String(format: "%02x", $0) }.joined() }
}

/// Calls CCCrypt with the form that applications use.
func crypt(
  _ operation: Int, _ data: Data, key: Data, iv: Data? = nil, options: Int = 0,
  algorithm: Int = kCCAlgorithmAES, room: Int? = nil
) -> (status: Int, data: Data, moved: Int) {
  var output = Data(count: room ?? data.count + kCCBlockSizeAES128)
  let available = output.count
  var moved = 0
  let status = output.withUnsafeMutableBytes { output in
    data.withUnsafeBytes { data in
      key.withUnsafeBytes { key in
        (iv ?? Data()).withUnsafeBytes { iv in
          CCCrypt(
            CCOperation(operation), CCAlgorithm(algorithm), CCOptions(options), key.baseAddress,
            key.count, iv.isEmpty ? nil : iv.baseAddress, data.baseAddress, data.count,
            output.baseAddress, available,
            &moved)
        }
      }
    }
  }
  return (Int(status), output.prefix(status == kCCSuccess ? moved : 0), moved)
}

/// The test vectors of NIST SP 800-38A, appendix F: keys, plaintext, and the first block of a counter.
enum Blocks {
  static let keys = [
    "2b7e151628aed2a6abf7158809cf4f3c", "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
    "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
  ].map(Data.init(hex:))
  static let iv = Data(hex: "000102030405060708090a0b0c0d0e0f")
  static let counter = Data(hex: "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff")
  static let plaintext = Data(
    hex: """
      6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51
      30c81c46a35ce411e5fbc1191a0a52ef f69f2445df4f9b17ad2b417be66c3710
      """)
}
