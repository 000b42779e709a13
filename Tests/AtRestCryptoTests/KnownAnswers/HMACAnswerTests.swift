import AtRestCrypto
import Foundation
import Testing

/// RFC 4231, test cases 1, 2 and 6: HMAC-SHA-256.
@Suite struct HMACAnswerTests {
  @Test(arguments: [
    (
      Data(repeating: 0x0B, count: 20), "Hi There",
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      Data("Jefe".utf8), "what do ya want for nothing?",
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      Data(repeating: 0xAA, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
  ])
  func codeIsThatOfTheRFC(key: Data, message: String, code: String) {
    let key = SecretBytes(key)
    let message = Data(message.utf8)
    #expect(key.authenticationCode(for: message).hex == code)
    #expect(key.isValid(authenticationCode: Data(hex: code), for: message) == true)
    var changed = Data(hex: code)
    changed[31] ^= 1
    #expect(key.isValid(authenticationCode: changed, for: message) == false)
    #expect(key.isValid(authenticationCode: changed.dropLast(), for: message) == false)
  }
}
