@_spi(Tools) import AtRestCrypto
import AtRestKeybag
import Foundation
import Synchronization

/// A file with the random keys of databases, sealed under a passphrase: see `docs/Formats.md`.
///
/// A change holds the lock `<name>.atrest-lock` from reading the file to replacing it, so no change is lost. The
/// new contents are in `<name>.atrest-new` until they are durable.
final class DatabaseKeyFile: Sendable {
  private static let magic = Data("AtRestKF".utf8)
  private static let version: UInt16 = 1
  private static let saltSize = 16
  private static let codeSize = 32
  private static let headSize = 8 + 2 + PasswordKDF.encodedCount + saltSize
  private static let greatestSize = 16 << 20

  let url: URL
  private let passphrase: SecretBox
  /// The KDF of a file that is made.
  private let kdf: PasswordKDF
  /// The key that was derived last, and the head of the file that it belongs to.
  private let known = Mutex<(head: Data, root: SecretBox)?>(nil)

  init(_ url: URL, passphrase: SecretBox, kdf: PasswordKDF) {
    self.url = url
    self.passphrase = passphrase
    self.kdf = kdf
  }

  /// Returns the records, or nil if there is no file.
  ///
  /// - Throws: ``AtRestError/Code/damaged``; ``AtRestError/Code/unsupportedVersion``;
  ///   ``AtRestError/Code/authenticationFailed`` if the passphrase is wrong or the file was modified.
  func records() throws -> DatabaseKeyRecords? { try contents().map(open) }

  /// Changes the records.
  ///
  /// - Parameter creating: True to make a file that does not exist, if the change adds a record.
  func update<Result>(
    creating: Bool, _ change: (inout DatabaseKeyRecords) throws -> Result
  ) throws -> Result {
    try locked { path in
      let present = try contents()
      guard creating || present != nil else { throw Self.missing(url) }
      var records = try present.map(open) ?? DatabaseKeyRecords()
      let result = try change(&records)
      guard records.isChanged else { return result }
      let head = try present.map { Data($0.prefix(Self.headSize)) } ?? Self.head(kdf)
      try replace(path, sealed(records, head, root(head)))
      return result
    }
  }

  /// Seals the records under another passphrase.
  func change(to new: borrowing SecretBytes, kdf: PasswordKDF) throws {
    try kdf.checkForeignBounds()
    try locked { path in
      guard let present = try contents() else { throw Self.missing(url) }
      let records = try open(present)
      let head = try Self.head(kdf)
      let root = try kdf.deriveKey(from: new, salt: head.suffix(Self.saltSize))
      try replace(path, sealed(records, head, root))
    }
  }

  static func missing(_ url: URL) -> AtRestError {
    AtRestError(
      .notFound, "There is no key file \(url.path).",
      remedy: "Restore it from a backup: the database does not open without it.")
  }

  // MARK: Layout

  private static func head(_ kdf: PasswordKDF) throws -> Data {
    try kdf.checkForeignBounds()
    var writer = ByteWriter()
    writer.fixed(magic)
    writer.integer(version)
    writer.fixed(kdf.encoded)
    writer.fixed(RandomBytes.data(count: saltSize))
    return writer.data
  }

  private func sealed(
    _ records: DatabaseKeyRecords, _ head: Data, _ root: borrowing SecretBytes
  ) throws -> Data {
    let box = try SealingKey(root.derive(.keyFileSeal)).seal(records.encoded, context: head)
    var statement = ByteWriter(capacity: head.count + box.count + 64)
    statement.fixed(head)
    statement.counted(box)
    let code = root.derive(.keyFileAuthentication).authenticationCode(for: statement.data)
    return statement.data + code
  }

  private func open(_ data: Data) throws -> DatabaseKeyRecords {
    let owner = "The key file \(url.path)"
    return try data.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, name: owner)
      guard bytes.count >= 8, try reader.fixed(8).elementsEqual(Self.magic) else {
        throw AtRestError.damaged("\(url.path) is not a key file of a database.")
      }
      let version = try reader.integer(UInt16.self)
      guard version == Self.version else {
        throw AtRestError.unsupported(owner, version: version, known: Self.version)
      }
      _ = try reader.fixed(PasswordKDF.encodedCount + Self.saltSize)
      let box = Data(try reader.counted(limit: Self.greatestSize))
      let statement = Data(bytes[..<reader.offset])
      let code = Data(try reader.fixed(Self.codeSize))
      try reader.finish()
      let head = Data(bytes[..<Self.headSize])
      let root = try root(head)
      guard
        root.derive(.keyFileAuthentication).isValid(authenticationCode: code, for: statement)
      else {
        known.withLock { $0 = nil }
        throw AtRestError(
          .authenticationFailed,
          "The passphrase is wrong, or the key file \(url.path) was modified.",
          remedy: "Try the passphrase again. If it is right, restore the key file from a backup.")
      }
      let secret = try SealingKey(root.derive(.keyFileSeal)).open(box, context: head, name: owner)
      return try DatabaseKeyRecords(decoding: secret, of: owner)
    }
  }

  /// Returns the key that is derived from the passphrase. It is kept, because the KDF takes long.
  private func root(_ head: Data) throws -> SecretBytes {
    if let root = known.withLock({ $0?.head == head ? $0?.root : nil }) {
      return root.bytes.duplicate()
    }
    let kdf = try PasswordKDF.decoded(
      from: Data(head[10..<10 + PasswordKDF.encodedCount]),
      demandedBy: "The key file \(url.path)")
    let root = try kdf.deriveKey(from: passphrase.bytes, salt: head.suffix(Self.saltSize))
    let box = SecretBox(root.duplicate())
    known.withLock { $0 = (head, box) }
    return root
  }

  // MARK: Files

  /// Returns the bytes of the file, or nil if it does not exist.
  private func contents() throws -> Data? {
    let file = SystemPath.open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    if file < 0, errno == ENOENT { return nil }
    if file < 0, errno == EACCES {
      throw AtRestError(
        .notPermitted, "The key file \(url.path) may not be read.", remedy: "Check its permissions."
      )
    }
    do {
      guard file >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
      let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
      return try handle.read(upToCount: Self.greatestSize) ?? Data()
    } catch {
      throw AtRestError(
        .system, "The key file \(url.path) could not be read.",
        remedy: "Check that it is a file, and its permissions.", cause: error)
    }
  }

  /// Calls a closure with the path of the file, without links, while no other process changes it.
  private func locked<Result>(_ body: (String) throws -> Result) throws -> Result {
    let path = SystemPath.real(url.path) ?? url.path
    return try CompanionLock.exclusively(path + CompanionLock.suffix) { try body(path) }
  }

  private func replace(_ path: String, _ data: Data) throws {
    let former = try replaceable()
    let new = path + ".atrest-new"
    SystemPath.remove(new)
    do {
      try DurableFile.make(new, shown: path) { file in
        try SystemCall.write(data, to: file, path: path)
        if let former { try DurableFile.takeProperties(of: path, former, file, path) }
      }
      guard SystemPath.rename(new, to: path) else { throw SystemCall.error("replace", path) }
    } catch {
      SystemPath.remove(new)
      throw error
    }
    try URL(fileURLWithPath: path).deletingLastPathComponent().synchronize()
  }

  /// Returns the status of the file that is to be replaced, or nil if it does not exist. With a second name, it would keep
  /// the former keys under that name. A link may be meant to name other files later.
  private func replaceable() throws -> stat? {
    guard let status = SystemPath.status(url.path, followingLinks: false) else {
      guard errno == ENOENT else { throw SystemCall.error("inspect", url.path) }
      return nil
    }
    guard status.st_mode & S_IFMT != S_IFLNK else {
      throw AtRestError.invalid(
        "The key file \(url.path) is a symbolic link, and cannot be changed through it.",
        remedy: "Name the file itself. Nothing was modified.")
    }
    guard status.st_nlink == 1 else {
      throw AtRestError.invalid(
        "The key file \(url.path) has another name: a hard link, which would keep the former keys.",
        remedy: "Remove the other name, or replace it by a copy. Nothing was modified.")
    }
    return status
  }

}

extension Purpose {
  fileprivate static let keyFileSeal = Purpose("atrest.database.key-file.seal.v1")
  fileprivate static let keyFileAuthentication = Purpose(
    "atrest.database.key-file.authentication.v1")
}
