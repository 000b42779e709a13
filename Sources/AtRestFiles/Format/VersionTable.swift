import AtRestCrypto
import Crypto
import Foundation

/// Which version of each chunk is the present one, in a file that was changed in place.
///
/// A chunk that was replaced has an older version, sealed with the same file key at the same place;
/// the table, which the header's generation vouches for, says by which key and counter the present
/// one was sealed. Neighbours that were sealed one after the other share an entry.
struct VersionTable: Sendable, Equatable {
  /// By what a chunk was sealed.
  struct Version: Sendable, Equatable {
    /// Gives the key: HKDF of the file key.
    var salt: Data
    var counter: UInt64
  }

  /// Chunks from `first` to the next run, sealed with counters one after the other.
  private struct Run: Sendable, Equatable {
    var first: UInt64
    var version: Version

    /// Of a chunk from the first on. Wraps: whoever made the file chose where the counter begins.
    func version(of chunk: UInt64) -> Version {
      Version(salt: version.salt, counter: version.counter &+ (chunk - first))
    }
  }

  private static let runCount = 32
  /// 33 million runs: 2 TiB in the default chunks if no two neighbours were written together.
  static let maximumCount = 1 << 30

  private var runs: [Run]

  /// The table of a file as it was first written.
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

  /// The table after some chunks were replaced, of a file that has `count` chunks then.
  func replacing(_ versions: [UInt64: Version], count: UInt64) -> VersionTable {
    let changed = versions.keys.filter { $0 < count }.sorted()
    var result = self
    result.runs = []
    var next = changed.startIndex
    var chunk: UInt64 = 0
    var run = runs.startIndex
    // Goes from border to border: of a run, or of the chunks that were replaced.
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

  // MARK: Sealed

  /// Sealed under a key of the file, bound to its identity and generation.
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
        // Authentic is not honest: anybody writes files for a recipient. Sums must not overflow.
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
