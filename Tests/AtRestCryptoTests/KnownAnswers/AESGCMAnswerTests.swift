import AtRestCrypto
import Foundation
import Testing

/// McGrew and Viega, "The Galois/Counter Mode of Operation" (submitted to NIST for SP 800-38D), test
/// cases 13 to 16: keys of 256 bits and nonces of 96.
@Suite struct AESGCMAnswerTests {
  struct Answer: Sendable {
    var key, nonce, plaintext, context, ciphertext, tag: String
  }

  static let zeroKey = String(repeating: "0", count: 64)
  static let key = "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"
  static let plaintext =
    "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
    + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255"
  static let ciphertext =
    "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
    + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad"

  @Test(arguments: [
    Answer(
      key: zeroKey, nonce: "000000000000000000000000", plaintext: "", context: "",
      ciphertext: "", tag: "530f8afbc74536b9a963b4f1c4cb738b"),
    Answer(
      key: zeroKey, nonce: "000000000000000000000000",
      plaintext: "00000000000000000000000000000000", context: "",
      ciphertext: "cea7403d4d606b6e074ec5d3baf39d18", tag: "d0d1c8a799996bf0265b98b5d48ab919"),
    Answer(
      key: key, nonce: "cafebabefacedbaddecaf888", plaintext: plaintext, context: "",
      ciphertext: ciphertext, tag: "b094dac5d93471bdec1a502270e3cc6c"),
    Answer(
      key: key, nonce: "cafebabefacedbaddecaf888",
      plaintext: String(plaintext.dropLast(8)),
      context: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
      ciphertext: String(ciphertext.dropLast(8)), tag: "76fc6ece0f4e1768cddf8853bb2d551b"),
  ])
  func opens(answer: Answer) throws {
    let key = try SealingKey(SecretBytes(hex: answer.key))
    let box = Data(hex: answer.nonce + answer.ciphertext + answer.tag)
    let opened = try key.open(box, context: Data(hex: answer.context), name: "box")
    #expect(opened.revealed == Data(hex: answer.plaintext))
  }
}
