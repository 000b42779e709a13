import AtRestFormats
import Foundation

/// What a container held at one time, to be compared with another time.
///
/// Of values there are salted hashes alone, by where the values lie: a comparison can tell which key or
/// row is new without the values being kept. Whoever has the snapshot can still try guesses against a
/// hash, and paths and keys stand there as they are: it is written for its owner alone. Names of records,
/// which may be secret, such as addresses, are hashed too.
package struct ContainerSnapshot: Codable, Hashable, Sendable {
  /// Of this format of snapshots.
  package static let version = 1
  /// Values beyond are counted only.
  package static let valueLimit = 1_000_000
  /// A larger file is no snapshot, in bytes.
  package static let sizeLimit = 512 << 20

  package let version: Int
  /// What the hashes are keyed by; hashes of two snapshots compare only if it is the same.
  package let salt: Data
  /// In the order of their paths.
  package let files: [File]
  /// Values that were left out because there were too many.
  package let omittedValues: Int
  /// What was not opened, or not all of it.
  package let problems: [String]

  package struct File: Codable, Hashable, Sendable {
    /// Below the folder; within an archive with the way to it.
    package let path: String
    /// In bytes.
    package let size: Int
    package let modified: Date?
    /// In hexadecimal digits.
    package let sha256: String?
    package let type: FileType
    /// By where each value lies in the file, its hash in hexadecimal digits.
    package let values: [String: String]
  }

  /// Walks through a container and notes what it holds.
  ///
  /// - Parameter earlier: A snapshot that this one is to be compared with.
  /// - Throws: ``FormatError`` if the container cannot be listed.
  package init(
    of source: ContainerSource, limits: WalkLimits = .standard,
    comparableTo earlier: ContainerSnapshot? = nil
  ) throws(FormatError) {
    let salt = earlier?.salt ?? Data((0..<32).map { _ in UInt8.random(in: 0...255) })
    let hashes = ValueHashes(salt: salt)
    let walk = ContainerWalk(source, limits: limits, hashes: true, rawBytes: false)
    let summary = try walk.run { hashes.add($0) }
    let (values, omitted) = hashes.all
    version = Self.version
    self.salt = salt
    files = summary.files.map { report in
      File(
        path: report.locator.description, size: report.size, modified: report.modified,
        sha256: report.sha256.map(Self.hexadecimal), type: report.type,
        values: values[report.locator] ?? [:])
    }
    omittedValues = omitted
    problems = summary.problems.map { "\($0.locator): \($0.reason)" }
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  // MARK: Files

  /// Reads a snapshot.
  ///
  /// - Throws: ``FormatError`` if the file cannot be read, or is no snapshot of this version.
  package init(contentsOf path: String) throws(FormatError) {
    let source = try ByteSource(file: path)
    guard source.count <= Self.sizeLimit else {
      throw FormatError("The file is too large for a snapshot.")
    }
    let data = Data(try source.read(0..<source.count))
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .secondsSince1970
    guard let snapshot = try? decoder.decode(Self.self, from: data) else {
      throw FormatError("“\(path)” is no snapshot of a container.")
    }
    guard snapshot.version == Self.version else {
      throw FormatError("The snapshot is of version \(snapshot.version), not \(Self.version).")
    }
    self = snapshot
  }

  /// Writes the snapshot as JSON that its owner alone may read; an old file is replaced whole or not at
  /// all.
  ///
  /// - Throws: ``FormatError`` if it cannot be written.
  package func write(to path: String) throws(FormatError) {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .secondsSince1970
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else {
      throw FormatError("The snapshot cannot be written as JSON.")
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
