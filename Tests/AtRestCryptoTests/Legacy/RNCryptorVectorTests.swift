import AtRestCrypto
import AtRestLegacy
import Crypto
import Foundation
import Testing

/// The vectors of RNCryptor's own specification: github.com/RNCryptor/RNCryptor-Spec, commit 7aa2729,
/// `vectors/v3`.
@Suite struct RNCryptorVectorTests {
  struct Vector: Sendable, CustomTestStringConvertible {
    let title: String
    let secrets: [String]
    let plaintext: String
    let message: String
    var testDescription: String { title }
  }

  // vectors/v3/password
  static let passwords: [Vector] = [
    Vector(
      title: "All fields empty or zero (with one-byte password)", secrets: ["a"], plaintext: "",
      message: """
        03010000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 0000b303 9be31cd7
        ece5e754 f5c8da17 00366631 3ae8a89d dcf8e3cb 41fdc130 b2329dbe 07d6f4d3 2c34e050 c8bd7e93
        3b12
        """),
    Vector(
      title: "One byte", secrets: ["thepassword"], plaintext: "01",
      message: """
        03010001 02030405 06070102 03040506 07080203 04050607 08090a0b 0c0d0e0f 0001a1f8 730e0bf4
        80eb7b70 f690abf2 1e029514 164ad3c4 74a51b30 c7eaa1ca 545b7de3 de5b010a cbad0a9a 13857df6
        96a8
        """),
    Vector(
      title: "More than one block", secrets: ["thepassword"], plaintext: "0123456789abcdef01234567",
      message: """
        03010203 04050607 00010304 05060708 01020405 06070809 0a0b0c0d 0e0f0001 0203e01b bda5df2c
        a8adace3 8f6c588d 291e03f9 51b78d34 17bc2816 581dc6b7 67f1a2e5 7597512b 18e1638f 21235fa5
        928c
        """),
    Vector(
      title: "Multibyte password", secrets: ["中文密码"], plaintext: "23456789abcdef0123456701",
      message: """
        03010304 05060700 01020405 06070801 02030506 0708090a 0b0c0d0e 0f000102 03048a9e 08bdec1c
        4bfe13e8 1fb85f00 9ab3ddb9 1387e809 c4ad86d9 e8a60145 57716657 bd317d4b b6a76446 15b3de40
        2341
        """),
  ]

  // vectors/v3/key
  static let keys: [Vector] = [
    Vector(
      title: "All fields empty or zero",
      secrets: [String(repeating: "00", count: 32), String(repeating: "00", count: 32)],
      plaintext: "",
      message: """
        03000000 00000000 00000000 00000000 00001f78 8fe6d86c 31754969 7fbf0c07 fa436384 ac0ef35b
        860b2ddb 2aba2fff 816b1fb3 a9c180f7 b43650ae c0d2b5f8 8e33
        """),
    Vector(
      title: "One byte",
      secrets: [
        "000102030405060708090a0b0c0d0e0f000102030405060708090a0b0c0d0e0f",
        "0102030405060708090a0b0c0d0e0f000102030405060708090a0b0c0d0e0f00",
      ],
      plaintext: "01",
      message: """
        03000203 04050607 08090a0b 0c0d0e0f 0001981b 22e7a644 8118d695 bd654f72 e9d6ed75 ec14ae2a
        a067eed2 a98a56e0 993dfe22 ab5887b3 f6e3cdd4 0767f519 5eb5
        """),
    Vector(
      title: "Exactly one block",
      secrets: [
        "0102030405060708090a0b0c0d0e0f000102030405060708090a0b0c0d0e0f00",
        "02030405060708090a0b0c0d0e0f000102030405060708090a0b0c0d0e0f0001",
      ],
      plaintext: "000102030405060708090a0b0c0d0e0f",
      message: """
        03000304 05060708 090a0b0c 0d0e0f00 0102d2b1 77d61878 1829f564 53f739a2 d4f729f9 2b1a9c6c
        50837864 74e16a22 c60f92b0 73454f79 76cdda04 3e09b117 66de05ff e05bc1dc a9522ea6 6e64ad25
        bbbc
        """),
    Vector(
      title: "More than one block",
      secrets: [
        "02030405060708090a0b0c0d0e0f000102030405060708090a0b0c0d0e0f0001",
        "030405060708090a0b0c0d0e0f000102030405060708090a0b0c0d0e0f000102",
      ],
      plaintext: "000102030405060708090a0b0c0d0e0f000102030405060708",
      message: """
        03000405 06070809 0a0b0c0d 0e0f0001 02034c9b 98b425f1 d732644c b311278d 858e3d18 2a0789b8
        6af7f741 34b6a27e 9d938617 741c0fb8 aaf094b3 b5b26f50 5da7bf19 13f6c17e 70273977 ae51323b
        6f09
        """),
  ]

  // vectors/v3/kdf: password, salt, key
  static let derivations = [
    (
      "a", "0102030405060708",
      "fc632b0ca6b23eff9a9dc3e0e585167f5a328916ed19f83558be3ba9828797cd"
    ),
    (
      "this is a bit longer password", "0304050607080102",
      "71343acb1e9675b016ac65dcfe5ddac2e57ed9c35565fdbb2dd6d2cefe263d5b"
    ),
    (
      "中文密码 with a little English, too.", "0607080102030405",
      "46bda5f465982a4740c728bc14c5de5cc7fc4eeaf0aa41bb9b9e8495452dafff"
    ),
  ]

  private func bytes(_ hex: String) -> Data {
    Data(hex: hex.filter { !$0.isWhitespace })
  }

  @Test(arguments: passwords) func passwordForm(vector: Vector) throws {
    let plaintext = try RNCryptorV3.decrypt(
      bytes(vector.message), password: SecretBytes(utf8: vector.secrets[0]))
    #expect(plaintext == bytes(vector.plaintext))
  }

  @Test(arguments: keys) func keyForm(vector: Vector) throws {
    let plaintext = try RNCryptorV3.decrypt(
      bytes(vector.message), encryptionKey: SecretBytes(hex: vector.secrets[0]),
      hmacKey: SecretBytes(hex: vector.secrets[1]))
    #expect(plaintext == bytes(vector.plaintext))
  }

  // A message under the vector's key, encrypted in the key form and given the password's header. It
  // opens only if the password and salt give that key.
  @Test(arguments: derivations) func derivation(password: String, salt: String, key: String) throws
  {
    let salt = Data(hex: salt)
    let keyForm = try RNCryptorV3.encrypt(
      Data("note".utf8), encryptionKey: SecretBytes(hex: key), hmacKey: .random(count: 32))
    let body = Data([3, 1]) + salt + salt + keyForm.dropFirst(2).dropLast(32)
    func message(_ key: Data) -> Data {
      body + Data(HMAC<SHA256>.authenticationCode(for: body, using: SymmetricKey(data: key)))
    }
    let secret = SecretBytes(utf8: password)
    let plaintext = try RNCryptorV3.decrypt(message(Data(hex: key)), password: secret)
    #expect(plaintext == Data("note".utf8))
    // Control: it does not open under another key.
    #expect(throws: AtRestError.self) {
      try RNCryptorV3.decrypt(message(Data(count: 32)), password: secret)
    }
  }
}
