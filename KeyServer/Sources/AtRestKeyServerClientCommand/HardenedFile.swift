import AtRestCrypto
import Foundation

/// A file under a hardened passphrase, in the layout that `docs/KeyServer.md` specifies, *Client program*:
/// the text `ATKSF`, a version, the password KDF, and an identifier; then a box with these as its context.
struct HardenedFile {
  private static let magic = Data("ATKSF\u{1}".utf8)
  private static let kdfCount = 13
  private static let headCount = 6 + kdfCount + 16

  let kdf: PasswordKDF
  private let head: Data
  private let box: Data

  /// Seals contents under a hardened key.
  static func seal(
    _ contents: borrowing SecretBytes, _ key: borrowing SecretBytes, kdf: PasswordKDF
  ) throws -> Data {
    let identifier = RandomBytes.data(count: 16)
    let head = magic + kdf.encoded + identifier
    return try head + fileKey(key, identifier).seal(contents, context: head)
  }

  /// Reads the head of a file.
  init(_ data: Data) throws {
    guard data.count >= Self.headCount + SealingKey.overhead, data.starts(with: Self.magic) else {
      throw AtRestError(
        .damaged, "This is not a file of atrest-keyserver-client, or it was cut off.",
        remedy: "Restore it from a backup.")
    }
    head = Data(data.prefix(Self.headCount))
    kdf = try PasswordKDF.decoded(from: Data(head[6..<6 + Self.kdfCount]))
    box = Data(data.dropFirst(Self.headCount))
  }

  /// Opens the file.
  func open(_ key: borrowing SecretBytes) throws -> SecretBytes {
    try Self.fileKey(key, Data(head.suffix(16))).open(box, context: head, name: "The file")
  }

  private static func fileKey(
    _ key: borrowing SecretBytes, _ identifier: Data
  ) throws -> SealingKey {
    try SealingKey(key.derive(.file, context: identifier))
  }
}

extension Purpose {
  fileprivate static let file = Purpose("atrest.keyserver.client-file.v1")
}
