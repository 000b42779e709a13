import Crypto
import CryptoExtras
import Foundation

/// Makes keybags of backups, and wraps and encrypts with their keys, from the description of the
/// format alone.
struct KeybagMaker {
  let password: String
  var outerRounds: Int? = 100
  var innerRounds = 10
  /// The classes that the keybag binds to the device.
  var deviceClasses: Set<UInt32> = [9, 10, 11]
  let classKeys: [UInt32: SymmetricKey]
  private let salts = (Data(repeating: 0xA1, count: 20), Data(repeating: 0xB2, count: 20))

  init(password: String = "correct horse 中文密码") {
    self.password = password
    classKeys = Dictionary(
      uniqueKeysWithValues: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map {
        (UInt32($0), SymmetricKey(data: Data(repeating: UInt8($0), count: 32)))
      })
  }

  func bytes() throws -> Data {
    var bag = record("VERS", 5) + record("TYPE", 1) + record("UUID", Data(repeating: 1, count: 16))
    bag += record("HMCK", Data(repeating: 2, count: 40)) + record("WRAP", 1)
    bag += record("SALT", salts.0) + record("ITER", innerRounds)
    if let outerRounds {
      bag += record("DPWT", 1) + record("DPIC", outerRounds) + record("DPSL", salts.1)
    }
    let key = try passwordKey()
    for (number, classKey) in classKeys.sorted(by: { $0.key < $1.key }) {
      bag += record("UUID", Data(repeating: UInt8(number), count: 16))
      bag += record("CLAS", Int(number)) + record("WRAP", deviceClasses.contains(number) ? 3 : 2)
      bag += record("KTYP", 0) + record("WPKY", try AES.KeyWrap.wrap(classKey, using: key))
    }
    return bag
  }

  func wrap(_ key: SymmetricKey, class number: UInt32) throws -> Data {
    try AES.KeyWrap.wrap(key, using: classKeys[number] ?? SymmetricKey(size: .bits256))
  }

  static func encrypt(_ plaintext: Data, key: SymmetricKey) throws -> Data {
    try AES._CBC.encrypt(plaintext, using: key, iv: AES._CBC.IV(ivBytes: Data(count: 16)))
  }

  private func passwordKey() throws -> SymmetricKey {
    var password = Data(password.utf8)
    if let outerRounds {
      password = try KDF.Insecure.PBKDF2.deriveKey(
        from: password, salt: salts.1, using: .sha256, outputByteCount: 32,
        unsafeUncheckedRounds: outerRounds
      ).withUnsafeBytes { Data($0) }
    }
    return try KDF.Insecure.PBKDF2.deriveKey(
      from: password, salt: salts.0, using: .insecureSHA1, outputByteCount: 32,
      unsafeUncheckedRounds: innerRounds)
  }

  func record(_ tag: String, _ value: Data) -> Data {
    Data(tag.utf8) + withUnsafeBytes(of: UInt32(value.count).bigEndian) { Data($0) } + value
  }

  func record(_ tag: String, _ value: Int) -> Data {
    record(tag, withUnsafeBytes(of: UInt32(value).bigEndian) { Data($0) })
  }
}
