import AtRestCrypto
import Foundation
import Testing

/// Password, salt, cost and function each change the key.
@Suite struct PasswordSeparationTests {
  @Test func everyInputSeparates() throws {
    let password = SecretBytes(utf8: "correct horse")
    let salt = Data(0..<16)
    func key(_ kdf: PasswordKDF, _ salt: Data) throws -> Data {
      try kdf.deriveKey(from: password, salt: salt).revealed
    }
    let cheap = PasswordKDF.unchecked(.pbkdf2SHA256, cost: 10)
    let keys = [
      try key(.forTesting, salt), try key(.forTesting, Data(1..<17)), try key(cheap, salt),
      try key(.unchecked(.pbkdf2SHA256, cost: 11), salt),
      try key(.unchecked(.pbkdf2SHA512, cost: 10), salt),
      try cheap.deriveKey(from: SecretBytes(utf8: "correct horsf"), salt: salt).revealed,
    ]
    #expect(Set(keys).count == keys.count)
    #expect(try key(cheap, salt) == keys[2])
  }
}
