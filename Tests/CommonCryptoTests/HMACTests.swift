import CommonCrypto
import Foundation
import Testing

@Suite struct HMACTests {
  private static let sizes = [
    kCCHmacAlgSHA1: 20, kCCHmacAlgMD5: 16, kCCHmacAlgSHA224: 28, kCCHmacAlgSHA256: 32,
    kCCHmacAlgSHA384: 48, kCCHmacAlgSHA512: 64,
  ]

  private func code(_ algorithm: Int, _ key: Data, _ data: Data) -> Data {
    var output = [UInt8](repeating: 0, count: Self.sizes[algorithm]!)
    key.withUnsafeBytes { key in
      data.withUnsafeBytes {
        CCHmac(
          CCHmacAlgorithm(algorithm), key.baseAddress, key.count, $0.baseAddress, $0.count, &output)
      }
    }
    return Data(output)
  }

  /// RFC 2202, 2.2 and 3.2, and RFC 4231, 4.3: the key "Jefe".
  @Test(
    arguments: [
      (kCCHmacAlgMD5, "750c783e6ab0b503eaa86e310a5db738"),
      (kCCHmacAlgSHA1, "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
      (kCCHmacAlgSHA224, "a30e01098bc6dbbf45690f3a7e9e6d0f8bbea2a39e6148008fd05e44"),
      (kCCHmacAlgSHA256, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
      (
        kCCHmacAlgSHA384,
        "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e"
          + "8e2240ca5e69e2c78b3239ecfab21649"
      ),
      (
        kCCHmacAlgSHA512,
        "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
          + "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"
      ),
    ])
  func theCodeMatchesTheStandard(algorithm: Int, expected: String) {
    let data = Data("what do ya want for nothing?".utf8)
    #expect(code(algorithm, Data("Jefe".utf8), data).hex == expected)
  }

  @Test(arguments: sizes.keys.sorted()) func partsGiveWhatOneCallGives(algorithm: Int) {
    let data = Data((0..<300).map { UInt8(truncatingIfNeeded: $0) })
    for keyCount in [0, 1, 63, 64, 65, 127, 128, 129, 300] {
      let key = data.prefix(keyCount)
      var context = CCHmacContext()
      key.withUnsafeBytes {
        CCHmacInit(&context, CCHmacAlgorithm(algorithm), $0.baseAddress, $0.count)
      }
      for start in stride(from: 0, to: data.count, by: 7) {
        data[start..<min(data.count, start + 7)].withUnsafeBytes {
          CCHmacUpdate(&context, $0.baseAddress, $0.count)
        }
      }
      // A context is a value: both copies end with the same code.
      var copy = context
      for _ in 0..<2 {
        var output = [UInt8](repeating: 0, count: Self.sizes[algorithm]!)
        CCHmacFinal(&copy, &output)
        #expect(Data(output) == code(algorithm, Data(key), data), "\(keyCount) bytes of key")
        copy = context
      }
    }
  }
}
