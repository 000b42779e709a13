@_spi(Tools) import AtRestCrypto
import Crypto
import Foundation

/// The current version of each chunk, in a file that was changed in place.
///
/// A replaced chunk has an older version that was sealed with the same file key for the same
/// position. The table records the salt and counter with which the current version was sealed, and
/// is authenticated together with the header's generation. Adjacent chunks that were sealed
/// consecutively share an entry.
struct VersionTable: Sendable, Equatable {
  /// The salt and counter with which a chunk was sealed.
  struct Version: Sendable, Equatable {
    /// The salt with which HKDF derives the chunk's key from the file key.
    var salt: Data
    var counter: UInt64
  }

  /// The chunks from `first` to the next run, sealed with consecutive counters.
  private struct Run: Sendable, Equatable {
    var first: UInt64
    var version: Version

    /// Returns the version of a chunk of this run. The addition may wrap, because the creator of
    /// the file chose the first counter.
    func version(of chunk: UInt64) -> Version {
      Version(salt: version.salt, counter: version.counter &+ (chunk - first))
    }
  }

  private static let runCount = 32
  /// The maximum size of a table in bytes: 33 million runs. With chunks of the default size, this
  /// is enough for a file of 1.5 TiB in which no two adjacent chunks were written together.
  static let maximumCount = 1 << 30

  private var runs: [Run]

  /// Creates the table of a file that was never changed.
  init(identity: Data) {
    runs = [Run(first: 0, version: Version(salt: identity, counter: 0))]
  }

  func version(of chunk: UInt64) -> Version {
    var low = 0
    var high = runs.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if runs[middle].first <= chunk { low = middle } else { high = middle }
    }
    return runs[low].version(of: chunk)
  }

  /// Returns the table after some chunks were replaced. `count` is the number of chunks in the
  /// changed file.
  func replacing(_ versions: [UInt64: Version], count: UInt64) -> VersionTable {
    let changed = versions.keys.filter { $0 < count }.sorted()
    var result = self
    result.runs = []
    var next = changed.startIndex
    var chunk: UInt64 = 0
    var run = runs.startIndex
    // Each step moves to the next run or the next replaced chunk, whichever comes first.
    while chunk < count {
      while run + 1 < runs.endIndex, runs[run + 1].first <= chunk { run += 1 }
      if next < changed.endIndex, changed[next] == chunk, let version = versions[chunk] {
        result.append(chunk, version)
        next += 1
        chunk += 1
        continue
      }
      result.append(chunk, runs[run].version(of: chunk))
      let nextRun = run + 1 < runs.endIndex ? runs[run + 1].first : count
      let nextChange = next < changed.endIndex ? changed[next] : count
      chunk = min(nextRun, nextChange, count)
    }
    return result
  }

  private mutating func append(_ chunk: UInt64, _ version: Version) {
    if let last = runs.last, last.version(of: chunk) == version { return }
    runs.append(Run(first: chunk, version: version))
  }

  // MARK: Sealing

  /// Returns the table, sealed with a key derived from the file key, and bound to the file's
  /// identity and generation.
  func sealed(fileKey: borrowing SecretBytes, header: FileHeader) throws -> Data {
    var writer = ByteWriter(capacity: 4 + runs.count * Self.runCount)
    writer.integer(UInt32(runs.count))
    for run in runs {
      writer.integer(run.first)
      writer.fixed(run.version.salt)
      writer.integer(run.version.counter)
    }
    return try GCM.seal(
      writer.bytes, key: fileKey.derive(.fileTable).symmetricKey(),
      context: Self.context(header))
  }

  init(
    opening box: Data, fileKey: borrowing SecretBytes, header: FileHeader, name: String
  ) throws {
    let bytes = try box.withUnsafeBytes {
      try GCM.open(
        $0, key: fileKey.derive(.fileTable).symmetricKey(), context: Self.context(header),
        name: "The version table of \(name)")
    }
    runs = try bytes.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, name: "The version table of \(name)")
      let count = Int(try reader.integer(UInt32.self))
      guard reader.remaining == count * Self.runCount, count > 0 else {
        throw AtRestError.damaged("The version table of \(name) does not have \(count) runs.")
      }
      var runs: [Run] = []
      runs.reserveCapacity(count)
      for _ in 0..<count {
        let first = try reader.integer(UInt64.self)
        let salt = Data(try reader.fixed(16))
        let version = Version(salt: salt, counter: try reader.integer())
        guard runs.isEmpty ? first == 0 : first > runs.last!.first else {
          throw AtRestError.damaged("The version table of \(name) is not in order.")
        }
        // Anyone can write files for a recipient, so even authenticated numbers may be hostile.
        // Sums of them must not overflow.
        guard first <= .max / 4, version.counter <= .max / 4 else {
          throw AtRestError.damaged("The version table of \(name) counts too far.")
        }
        runs.append(Run(first: first, version: version))
      }
      return runs
    }
  }

  private static func context(_ header: FileHeader) -> [UInt8] {
    var writer = ByteWriter(capacity: 24)
    writer.fixed(header.identity)
    writer.integer(header.generation)
    return writer.bytes
  }
}
