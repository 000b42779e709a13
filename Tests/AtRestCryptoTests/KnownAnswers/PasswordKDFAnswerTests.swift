import AtRestCrypto
import Foundation
import Testing

/// RFC 7914: scrypt (section 12) and PBKDF2-HMAC-SHA-256 (section 11).
@Suite struct PasswordKDFAnswerTests {
  struct Answer: Sendable {
    var kdf: PasswordKDF
    var password, salt, key: String
  }

  @Test(arguments: [
    Answer(
      kdf: .unchecked(.scrypt, cost: 4, blockSize: 1, parallelism: 1), password: "", salt: "",
      key: "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
        + "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"),
    Answer(
      kdf: .unchecked(.scrypt, cost: 10, blockSize: 8, parallelism: 16), password: "password",
      salt: "NaCl",
      key: "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
        + "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"),
    Answer(
      kdf: .unchecked(.scrypt, cost: 14, blockSize: 8, parallelism: 1), password: "pleaseletmein",
      salt: "SodiumChloride",
      key: "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
        + "d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"),
    Answer(
      kdf: .unchecked(.pbkdf2SHA256, cost: 1), password: "passwd", salt: "salt",
      key: "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"
        + "49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783"),
    Answer(
      kdf: .unchecked(.pbkdf2SHA256, cost: 80_000), password: "Password", salt: "NaCl",
      key: "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56"
        + "a1d425a1225833549adb841b51c9b3176a272bdebba1d078478f62b397f33c8d"),
  ])
  func keyIsThatOfTheRFC(answer: Answer) throws {
    let key = try answer.kdf.deriveKey(
      from: SecretBytes(utf8: answer.password), salt: Data(answer.salt.utf8), count: 64)
    #expect(key.revealed.hex == answer.key)
  }
}
