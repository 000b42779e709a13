import AtRestCrypto
import Foundation

/// Tries the formats in which a file may have been written, if it is not in the one that was named.
struct OtherFormat {
  private let opening: DatabaseOpening
  private let file: DatabaseFile
  private let cipher: PageCipher?

  init(_ opening: DatabaseOpening, _ file: DatabaseFile, _ cipher: PageCipher?) {
    self.opening = opening
    self.file = file
    self.cipher = cipher
  }

  /// Returns an error that names the format, or nil if none fits.
  func error() throws -> AtRestError? {
    // The key of the present format is known, and PBKDF2 takes long.
    for format in Self.sizes(of: opening.format) where format != opening.format {
      if let cipher, file.recognizes(cipher.withPages(of: format)) { return named(format) }
    }
    if let header = try headerError() { return header }
    for version in versions where !opening.format.hasPlaintextHeader {
      for cipher in try opening.key.ciphers(of: file, in: version).all {
        for format in Self.sizes(of: version) where file.recognizes(cipher.withPages(of: format)) {
          return named(format)
        }
      }
    }
    return nil
  }

  /// Returns an error if the file is in the same format, but with the other kind of header.
  func headerError() throws -> AtRestError? { try otherHeader().map(named) }

  private func named(_ format: DatabaseFormat) -> AtRestError {
    let rounds =
      format.rounds == opening.format.rounds || !opening.key.isPassphrase
      ? "" : ", \(format.rounds) rounds"
    let header =
      format.hasPlaintextHeader == opening.format.hasPlaintextHeader
      ? ""
      : format.hasPlaintextHeader
        ? ", and its header is in plaintext" : ", and its header is encrypted"
    return AtRestError.invalid(
      "The database \(opening.url.path) is in the format of \(format.name) with pages of \(format.pageSize) "
        + "bytes\(rounds)\(header).",
      remedy:
        "Open it in this format: with atrest, --format, --page-size, --rounds and --plaintext-header "
        + "name it.")
  }

  /// The same format with the other kind of header, if the key has the salt.
  private func otherHeader() throws -> DatabaseFormat? {
    var other = opening.format
    other.hasPlaintextHeader.toggle()
    let key = other.hasPlaintextHeader ? opening.key : opening.key.withoutSalt
    guard other.authentication != nil,
      other.hasPlaintextHeader ? key.salt != nil || key.hasRecords : true,
      key.hasRecords || file.salt != nil
    else { return nil }
    for cipher in try key.ciphers(of: file, in: other).all {
      for format in Self.sizes(of: other) where file.recognizes(cipher.withPages(of: format)) {
        return format
      }
    }
    return nil
  }

  /// The other versions, and the numbers of rounds that programs often choose.
  private var versions: [DatabaseFormat] {
    var versions: [DatabaseFormat] = [.sqlcipher4, .sqlcipher3]
    if opening.key.isPassphrase {
      for rounds in [64_000, 4_000] {
        var format = DatabaseFormat.sqlcipher4
        format.rounds = rounds
        versions.append(format)
      }
    }
    versions += [.sqlcipher2, .sqlcipher2BigEndian, .sqlcipher2Beta, .sqlcipher1]
    return versions.filter { version in
      var version = version
      version.pageSize = opening.format.pageSize
      return version != opening.format
    }
  }

  /// The authenticated formats that a file under a random key may have, whatever the kind of its header.
  static let all = DatabaseFormat.named.values.filter { $0.authentication != nil }.flatMap {
    version in
    [false, true].flatMap { isPlain in
      var version = version
      version.hasPlaintextHeader = isPlain
      return sizes(of: version)
    }
  }

  private static func sizes(of format: DatabaseFormat) -> [DatabaseFormat] {
    DatabaseFormat.pageSizes.compactMap { size in
      var format = format
      format.pageSize = size
      return (try? format.check()) == nil ? nil : format
    }
  }
}

extension DatabaseKey {
  fileprivate var isPassphrase: Bool {
    if case .passphrase = source { true } else { false }
  }

  /// The same key for a file that contains its salt.
  fileprivate var withoutSalt: DatabaseKey {
    switch source {
    case .item, .keyFile: self
    case .passphrase(let box, _): DatabaseKey(source: .passphrase(box, salt: nil))
    case .raw(let box):
      DatabaseKey(
        source: .raw(
          SecretBox(
            box.bytes.withUnsafeBytes {
              SecretBytes(
                copying: UnsafeRawBufferPointer(rebasing: $0.prefix(DatabaseFormat.keySize)))
            })))
    }
  }
}
