import AtRestContainers
import AtRestFormats
import Foundation

/// The readers of app containers and device backups. Each target is one kind of file.
package enum ContainerFuzzTarget: String, CaseIterable, Sendable {
  case keyedArchive = "keyed-archive"
  case cookies, keyboard, zip, tar, inflate, lz4, realm
  case machO = "macho"
  case profile, protobuf, fleece
  case levelDB = "leveldb"
  case segb, mmkv, lmdb, hive
  case fullText = "full-text"
  case images
  case sqlite, walk, detectors, encrypted
  case keybag
  case backupManifest = "backup-manifest"
  case keychainDump = "keychain-dump"

  /// A wrong result, such as a range outside the input.
  package struct Fault: Error, CustomStringConvertible {
    package let description: String
  }

  /// Reads one input as a file of this kind.
  ///
  /// - Throws: ``Fault`` if a result is wrong, or an error that no input may cause.
  package func run(_ input: Data) throws {
    switch self {
    case .walk: try walk(input)
    case .detectors: try detect([UInt8](input))
    case .encrypted: try open(input)
    case .keybag, .backupManifest, .keychainDump: try runBackup(input)
    case .sqlite: try readSQLite(Array(input))
    case .levelDB, .segb, .fullText, .images: try readStore([UInt8](input))
    case .mmkv, .lmdb, .hive: try readKeyValues([UInt8](input))
    default: try readFormat([UInt8](input))
    }
  }

  /// The matcher is made once, because preparing its encodings takes longer than most inputs.
  private static let matcher = Result {
    try CanaryMatcher([Canary(name: "fuzz", value: "4111 1111-canary/Zoë")])
  }

  private func detect(_ input: [UInt8]) throws {
    let found = try Self.matcher.get().matches(in: input, decoding: 3, limit: 1 << 20)
    let ranges =
      found.matches.map(\.range) + SecretDetector().detections(in: input).map(\.range)
    guard ranges.allSatisfy({ 0 <= $0.lowerBound && $0.upperBound <= input.count }) else {
      throw Fault(description: "A detection is outside the searched bytes.")
    }
    var meter = ContentMeter()
    meter.add(input)
    _ = meter.verdict(.unknown)
    _ = try? Canary.list(input)
  }

  private func walk(_ input: Data) throws {
    var limits = WalkLimits.standard
    limits.decodedBytesPerFile = 8 << 20
    limits.timePerFile = .seconds(10)
    let source = ContainerSource(files: ["a": [UInt8](input)])
    let summary = try ContainerWalk(source, limits: limits).run { item in _ = "\(item.locator)" }
    guard summary.files.contains(where: { $0.locator == Locator("a") }) else {
      throw Fault(description: "The file is missing from the summary.")
    }
  }

  /// The passphrases and the key of the inputs in the corpus.
  private static let keys = """
    {"key": "95279abe2e3d34657490da4593fa056b105c72dbaa31985d7da0f4dcc801d573", "passphrases": ["passphrase of aes-256.zip", "passphrase of sha256-256.enc"]}
    """

  /// Tries keys on one input as an encrypted file, and searches it if it opens.
  private func open(_ input: Data) throws {
    var limits = WalkLimits.standard
    limits.decodedBytesPerFile = 8 << 20
    limits.timePerFile = .seconds(10)
    limits.passphraseTime = .milliseconds(5)
    let source = ContainerSource(files: ["a": [UInt8](input), "k.json": Array(Self.keys.utf8)])
    let result = try ContainerScan(source, limits: limits).run()
    guard result.opened.allSatisfy({ $0.database.path == "a" }) else {
      throw Fault(description: "A file was opened that is not encrypted.")
    }
  }
}
