import AtRestCrypto
import Crypto
import Foundation

/// The current version of each chunk, in a file that was changed in place.
///
/// A chunk that was replaced has an older version, sealed with the same file key at the same place.
/// The table is authenticated together with the header's generation, and records the key and
/// counter with which the current version was sealed. Adjacent chunks that were sealed
/// consecutively share an entry.
struct VersionTable: Sendable, Equatable {
  /// The salt and counter with which a chunk was sealed.
  struct Version: Sendable, Equatable {
    /// The salt from which HKDF derives the key, with the file key.
    var salt: Data
    var counter: UInt64
  }

  /// The chunks from `first` to the next run, sealed with consecutive counters.
  private struct Run: Sendable, Equatable {
    var first: UInt64
    var version: Version

    /// Returns the version of a chunk of this run. The counter wraps, because the creator of the
    /// file chose its start.
    func version(of chunk: UInt64) -> Version {
      Version(salt: version.salt, counter: version.counter &+ (chunk - first))
    }
  }

  private static let runCount = 32
  /// 33 million runs: with chunks of the default size, a file of 2 TiB in which no two adjacent
  /// chunks were written together.
  static let maximumCount = 1 << 30

  private var runs: [Run]

  /// The table of a file that was never changed.
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

  /// Returns the table after some chunks were replaced, for a file that then has `count` chunks.
  func replacing(_ versions: [UInt64: Version], count: UInt64) -> VersionTable {
    let changed = versions.keys.filter { $0 < count }.sorted()
    var result = self
    result.runs = []
    var next = changed.startIndex
    var chunk: UInt64 = 0
    var run = runs.startIndex
    // Moves from boundary to boundary, of a run or of the replaced chunks.
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

  /// Returns the table sealed with a key of the file, bound to its identity and generation.
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
        // Authenticated does not mean honest: anyone can write files for a recipient. Sums must not
        // overflow.
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
