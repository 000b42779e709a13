import AtRestCrypto
import Crypto
import Foundation
import Testing

/// HKDF-SHA-256, and the framing with which `derive` uses it.
@Suite struct HKDFAnswerTests {
  /// RFC 5869, A.1 and A.3: the function that `derive` uses.
  @Test func functionIsThatOfTheRFC() {
    func hkdf(_ salt: Data, _ info: Data) -> Data {
      HKDF<SHA256>.deriveKey(
        inputKeyMaterial: SymmetricKey(data: Data(repeating: 0x0B, count: 22)), salt: salt,
        info: info, outputByteCount: 42
      ).withUnsafeBytes { Data($0) }
    }
    #expect(
      hkdf(Data(0..<13), Data(0xF0...0xF9)).hex
        == "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865")
    #expect(
      hkdf(Data(), Data()).hex
        == "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8")
  }

  /// Computed with Python's `hmac`: info is the label's length in 32 bits, the label, the context.
  @Test func derivedKeysStayTheSame() {
    let root = SecretBytes(Data(0..<32))
    let purpose = Purpose("com.example.seal.v1")
    #expect(
      root.derive(purpose).revealed.hex
        == "70d02ff0f4448e0c8111770a45aada45993e08ac39f2d82d44632553e372e155")
    #expect(
      root.derive(
        purpose, salt: Data("salt".utf8), context: Data("context".utf8), count: 64
      ).revealed.hex
        == "a4d47dbba69cb585ba12b7b4bbe109ce385b1135a250d5e55f2937e7c816780f"
        + "6d96443c0ce75b47d7be385d285732fedd33a362cb523e061f383755d1e37476")
  }
}
