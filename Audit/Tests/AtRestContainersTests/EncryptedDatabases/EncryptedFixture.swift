import AtRestContainers
import AtRestFormats
import Crypto
import Foundation
import Testing

/// An encrypted file or archive: see `Scripts/make-encrypted-fixtures.py`.
struct EncryptedFixture: CustomTestStringConvertible, Sendable {
  let name: String
  let format: String
  /// The text or the bytes that open the file.
  let key: [UInt8]
  let isPassphrase: Bool
  /// The place of the canary in the file, or nil if the contents have none.
  let place: String?
  var testDescription: String { name }
  var path: String { "Documents/\(name)" }

  private init(
    _ name: String, _ format: String, passphrase: String? = nil, _ place: String? = "line 2"
  ) {
    (self.name, self.format, self.place) = (name, format, place)
    isPassphrase = true
    key = Array((passphrase ?? "passphrase of \(name)").utf8)
  }

  /// A file with a key of 32 bytes.
  private init(key name: String, _ format: String, _ place: String? = "line 2") {
    (self.name, self.format, self.place) = (name, format, place)
    isPassphrase = false
    key = Array(SHA256.hash(data: Data("AtRest \(name)".utf8)))
  }

  static let openSSL =
    ["md5-128", "md5-256", "sha256-128", "sha256-256"].flatMap { name in
      [EncryptedFixture("\(name).enc", "OpenSSL"), .init("pbkdf2-\(name).enc", "OpenSSL")]
    } + [.init("plist.enc", "OpenSSL", "note"), .init("gzip.enc", "OpenSSL", "gzip › line 2")]
  static let archives = ["aes-128.zip", "aes-192.zip", "aes-256.zip", "ae1.zip", "mixed.zip"].map {
    EncryptedFixture($0, "AES", "Documents/note.txt › line 2")
  }
  static let rncryptor = [
    EncryptedFixture("passphrase-3.rnc", "RNCryptor 3"),
    .init("passphrase-2.rnc", "RNCryptor 2"),
    .init("wide-2.rnc", "RNCryptor 2", passphrase: "Passwörter für wide-2.rnc"),
    .init("noise-3.rnc", "RNCryptor 3", nil),
    .init(key: "key-2.rnc", "RNCryptor 2"), .init(key: "key-3.rnc", "RNCryptor 3"),
    .init(key: "one-key-3.rnc", "RNCryptor 3", nil),
  ]
  static let all = openSSL + archives + rncryptor
  /// Nothing shows that a key of it is right.
  static let unproved = EncryptedFixture("noise.enc", "OpenSSL", nil)
  /// Its encryption is not tried.
  static let untried = EncryptedFixture("zipcrypto.zip", "ZipCrypto", nil)

  var bytes: [UInt8] {
    get throws {
      let folder = try #require(
        Bundle.module.url(forResource: "Fixtures/Encrypted", withExtension: nil))
      return [UInt8](try Data(contentsOf: folder.appending(path: name)))
    }
  }

  /// Preferences with the key.
  var settings: [UInt8] {
    let value: BinaryList =
      isPassphrase ? .string(String(decoding: key, as: UTF8.self)) : .data(Data(key))
    return Array(BinaryList.dictionary([("name", .string("x")), ("fileKey", value)]).encoded)
  }

  /// The file, and preferences with its key or that of another file.
  func files(with other: EncryptedFixture? = nil) throws -> [String: [UInt8]] {
    [path: try bytes, "Library/Preferences/a.plist": (other ?? self).settings]
  }
}
