import AtRestContainers
import AtRestFormats
import Foundation
import Synchronization

/// A walk, and all of its items, sorted by their locators.
struct WalkRun {
  let summary: WalkSummary
  let items: [Item]

  init(
    _ source: ContainerSource, limits: WalkLimits = .standard, hashes: Bool = false
  ) throws {
    let found = Mutex<[Item]>([])
    summary = try ContainerWalk(source, limits: limits, hashes: hashes).run { item in
      found.withLock { $0.append(item) }
    }
    items = found.withLock { $0 }.sorted { $0.locator.description < $1.locator.description }
  }

  /// Returns the locators of the values that contain a text, without those of raw bytes.
  func locators(of text: String) -> [String] {
    items.filter { !$0.isRaw && $0.text?.contains(text) == true }.map(\.locator.description)
  }

  func problems(at path: String) -> [String] {
    summary.problems.filter { $0.locator.path == path }.map(\.reason)
  }
}

extension Item {
  var text: String? { if case .text(let text) = content { text } else { nil } }
  var bytes: [UInt8]? { if case .bytes(let bytes) = content { bytes } else { nil } }
}

enum WalkFixture {
  private static let folder = Bundle.module.url(
    forResource: "Fixtures/Walk", withExtension: nil)

  static func path(_ name: String) throws -> String {
    guard let folder else { throw FormatError("The fixtures are missing.") }
    return folder.appending(path: name).path
  }

  static func source(_ name: String) throws -> ContainerSource {
    try ContainerSource(path(name))
  }

  static func bytes(_ name: String) throws -> [UInt8] {
    let source = try ByteSource(file: path(name))
    return try source.read(0..<source.count)
  }
}

/// A temporary folder for one test, which is removed with this object.
final class ScratchFolder {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ name: String, _ bytes: [UInt8]) throws {
    let url = URL(fileURLWithPath: path).appending(path: name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
  }
}
