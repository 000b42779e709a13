import Synchronization

/// Remembers which names are those of secrets, because the names in logs repeat.
///
/// Safe to use from several threads, without a lock.
final class NameCache: Sendable {
  private static let bits = 12
  /// For each place, the hash of a name, with the verdict in the lowest bit. The hash is keyed anew
  /// in each process.
  nonisolated(unsafe) private let entries: UnsafeMutablePointer<Atomic<UInt64>>

  init() {
    entries = .allocate(capacity: 1 << Self.bits)
    for place in 0..<1 << Self.bits { (entries + place).initialize(to: Atomic(0)) }
  }

  deinit {
    entries.deinitialize(count: 1 << Self.bits)
    entries.deallocate()
  }

  /// Returns the verdict on a name, and asks for it if it is not known.
  func verdict(on name: UnsafeBufferPointer<UInt8>, _ judge: () -> Bool) -> Bool {
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(name))
    let hash = UInt64(bitPattern: Int64(hasher.finalize())) | 1
    let entry = entries + Int(hash >> UInt64(64 - Self.bits))
    let known = entry.pointee.load(ordering: .relaxed)
    if known | 1 == hash { return known & 1 == 1 }
    let verdict = judge()
    entry.pointee.store(verdict ? hash : hash & ~1, ordering: .relaxed)
    return verdict
  }
}
