@_spi(Tools) import AtRestCrypto
import AtRestFormats
import Foundation

/// The contents of a container at one moment, to compare with those at another.
///
/// Values are stored only as salted hashes, by their places, so that a comparison shows which key
/// or row is new without storing the values. Anyone who has the snapshot can still test guesses
/// against a hash, and paths and keys are stored in plaintext, so only the owner may read the file.
/// Names of records, which may be secret (addresses, for example), are hashed too.
package struct ContainerSnapshot: Codable, Hashable, Sendable {
  /// The version of the snapshot format.
  package static let version = 1
  /// The maximum number of values. Further values are only counted.
  package static let valueLimit = 1_000_000
  /// The maximum size of a snapshot file, in bytes.
  package static let sizeLimit = 512 << 20

  package let version: Int
  /// The key of the hashes. Hashes of two snapshots can be compared only if their salts are equal.
  package let salt: Data
  /// The files in the order of their paths.
  package let files: [File]
  /// The number of values that were omitted because there were too many.
  package let omittedValues: Int
  /// The files and parts that were not opened, or not completely.
  package let problems: [String]

  package struct File: Codable, Hashable, Sendable {
    /// The path within the folder, and for a file in an archive the path to it.
    package let path: String
    /// The size in bytes.
    package let size: Int
    package let modified: Date?
    /// The hash of the file in hexadecimal digits.
    package let sha256: String?
    package let type: FileType
    /// The hash of each value in hexadecimal digits, by the value's place in the file.
    package let values: [String: String]
    /// The hashes of values in space that the format treats as free, in order. Nil in older snapshots.
    package let deleted: [String]?
  }

  /// Takes a snapshot of a container.
  ///
  /// - Parameter earlier: A snapshot to which this one is made comparable.
  /// - Throws: ``FormatError`` if the container cannot be listed.
  package init(
    of source: ContainerSource, limits: WalkLimits = .standard,
    comparableTo earlier: ContainerSnapshot? = nil
  ) throws(FormatError) {
    let salt = earlier?.salt ?? Data((0..<32).map { _ in UInt8.random(in: 0...255) })
    let hashes = ValueHashes(salt: salt)
    let walk = ContainerWalk(source, limits: limits, hashes: true, rawBytes: false)
    let summary = try walk.run { hashes.add($0) }
    let (values, deleted, omitted) = hashes.all
    version = Self.version
    self.salt = salt
    files = summary.files.map { report in
      File(
        path: report.locator.description, size: report.size, modified: report.modified,
        sha256: report.sha256.map(\.hexadecimal), type: report.type,
        values: values[report.locator] ?? [:], deleted: deleted[report.locator] ?? [])
    }
    omittedValues = omitted
    problems = summary.problems.map { "\($0.locator): \($0.reason)" }
  }

  // MARK: Files

  /// Reads a snapshot.
  ///
  /// - Throws: ``FormatError`` if the file cannot be read, or is not a snapshot of this version.
  package init(contentsOf path: String) throws(FormatError) {
    let source = try ByteSource(file: path)
    guard source.count <= Self.sizeLimit else {
      throw FormatError("“\(path)” is too large for a snapshot.")
    }
    let data = Data(try source.read(0..<source.count))
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .secondsSince1970
    guard let snapshot = try? decoder.decode(Self.self, from: data) else {
      throw FormatError("“\(path)” is not a snapshot of a container.")
    }
    guard snapshot.version == Self.version else {
      throw FormatError("The snapshot has version \(snapshot.version), not \(Self.version).")
    }
    self = snapshot
  }

  /// Writes the snapshot as JSON that only its owner can read. An existing file is replaced
  /// completely or not at all.
  ///
  /// - Throws: ``FormatError`` if the snapshot cannot be written.
  package func write(to path: String) throws(FormatError) {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .secondsSince1970
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else {
      throw FormatError("The snapshot cannot be written as JSON.")
    }
    var status = stat()
    guard stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
      throw FormatError("“\(path)” is not a regular file, and is not replaced. Name another file.")
    }
    let draft = "\(path).\(UUID().uuidString)"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.failure(path) }
    var isWritten = data.withUnsafeBytes { bytes in
      var offset = 0
      while offset < bytes.count {
        let count = Foundation.write(descriptor, bytes.baseAddress! + offset, bytes.count - offset)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        offset += count
      }
      return fsync(descriptor) == 0
    }
    let failure = Self.failure(path)
    close(descriptor)
    isWritten = isWritten && rename(draft, path) == 0
    guard isWritten else {
      unlink(draft)
      throw failure
    }
  }

  private static func failure(_ path: String) -> FormatError {
    FormatError("“\(path)” cannot be written: \(String(cString: strerror(errno))).")
  }
}
