import AtRestCrypto
import Foundation
import Testing

/// RFC 3394, sections 4.3, 4.5 and 4.6: keys of three sizes under a 256-bit key.
@Suite struct AESKeyWrapAnswerTests {
  @Test(arguments: [
    (
      "00112233445566778899AABBCCDDEEFF",
      "64E8C3F9CE0F5BA263E9777905818A2A93C8191E7D6E8AE7"
    ),
    (
      "00112233445566778899AABBCCDDEEFF0001020304050607",
      "A8F9BC1612C68B3FF6E6F4FBE30E71E4769C8B80A32CB8958CD5D17D6B254DA1"
    ),
    (
      "00112233445566778899AABBCCDDEEFF000102030405060708090A0B0C0D0E0F",
      "28C9F404C4B810F4CBCCB35CFB87F8263F5786E2D80ED326CBC7F0E71A99F43BFB988B9B7A02DD21"
    ),
  ])
  func wrapsAndUnwraps(key: String, wrapped: String) throws {
    let wrapping = try WrappingKey(SecretBytes(Data(0..<32)))
    let secret = SecretBytes(hex: key)
    #expect(try wrapping.wrap(secret) == Data(hex: wrapped))
    #expect(try wrapping.unwrap(Data(hex: wrapped), name: "key").revealed == Data(hex: key))
  }
}
