import AtRestCrypto
import Foundation
import Testing

/// Secrets are written as hexadecimal digits and read again.
struct HexadecimalTests {
  @Test func everyByteComesBack() {
    let bytes = SecretBytes(Data(0...255))
    let digits = bytes.hexadecimal()
    let text = (0...255).map { String(format: "%02x", $0) }.joined()
    #expect(Data(copying: digits) == Data(text.utf8))
    for form in [text, text.uppercased()] {
      guard let decoded = SecretBytes.decoded(hexadecimal: SecretBytes(utf8: form)) else {
        Issue.record("The digits were refused.")
        continue
      }
      #expect(Data(copying: decoded) == Data(0...255))
    }
  }

  @Test(arguments: ["0", "0g", "g0", "0x", " 00", "00\n", "é0"]) func othersAreRefused(
    _ text: String
  ) {
    let isDecoded = SecretBytes.decoded(hexadecimal: SecretBytes(utf8: text)) != nil
    #expect(!isDecoded)
  }
}
