import AtRestFormats
import Crypto
import Foundation
import Synchronization

/// Collects hashes of values, by file and by place in it. Thread-safe.
final class ValueHashes: Sendable {
  private let key: SymmetricKey
  private let state = Mutex(State())

  private struct State {
    var values: [Locator: [String: UInt64]] = [:]
    var deleted: [Locator: Set<UInt64>] = [:]
    var count = 0
    var omitted = 0
  }

  init(salt: Data) { key = SymmetricKey(data: salt) }

  /// Adds the hash of a value. Keys and raw bytes are ignored, and deleted values have no place.
  func add(_ item: Item) {
    guard !item.isRaw, !item.isKey else { return }
    let steps = item.locator.steps
    // The path to a file ends with the last archive entry. The steps after it are in the file.
    let end = steps.lastIndex { if case .entry = $0 { true } else { false } }.map { $0 + 1 } ?? 0
    let file = Locator(item.locator.path, Array(steps[..<end]))
    let place = steps[end...].map(name).joined(separator: " › ")
    let hash = hash(of: item.content)
    state.withLock { state in
      guard state.count < ContainerSnapshot.valueLimit else {
        state.omitted += 1
        return
      }
      state.count += 1
      guard item.state == .live else {
        state.deleted[file, default: []].insert(hash)
        return
      }
      // The hashes are added up, because the values of one place arrive in any order.
      state.values[file, default: [:]][place, default: 0] &+= hash
    }
  }

  var all: (values: [Locator: [String: String]], deleted: [Locator: [String]], omitted: Int) {
    state.withLock { state in
      (
        state.values.mapValues { $0.mapValues(Self.digits) },
        state.deleted.mapValues { $0.map(Self.digits).sorted() }, state.omitted
      )
    }
  }

  private static func digits(_ hash: UInt64) -> String { String(hash, radix: 16) }

  private func name(of step: Locator.Step) -> String {
    guard case .record(let name) = step else { return step.description }
    return "record \(String(hash(Array(name.utf8), kind: 2), radix: 16))"
  }

  private func hash(of content: Item.Content) -> UInt64 {
    switch content {
    case .text(let text): hash(Array(text.utf8), kind: 0)
    case .bytes(let bytes): hash(bytes, kind: 1)
    }
  }

  private func hash(_ bytes: [UInt8], kind: UInt8) -> UInt64 {
    var code = HMAC<SHA256>(key: key)
    code.update(data: [kind])
    code.update(data: bytes)
    return code.finalize().prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}
