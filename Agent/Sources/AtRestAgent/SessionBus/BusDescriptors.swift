import Synchronization

/// The descriptors that programs on a bus send with their calls, bounded: those of the agent are for all its work.
final class BusDescriptors: Sendable {
  private static let most = 32
  private static let mostOfOne = 4

  private let held = Mutex<[String: Int]>([:])

  /// A place for a descriptor. It is given back when the last reference to this object is released.
  final class Place: Sendable {
    private let descriptors: BusDescriptors
    private let caller: String

    fileprivate init(_ descriptors: BusDescriptors, _ caller: String) {
      (self.descriptors, self.caller) = (descriptors, caller)
    }

    deinit { descriptors.give(caller) }
  }

  /// Takes a place for a descriptor of a caller. Returns nil if all places are taken.
  func place(for caller: String) -> Place? {
    let isTaken = held.withLock { held in
      let own = held[caller, default: 0]
      guard own < Self.mostOfOne, held.values.reduce(0, +) < Self.most else { return false }
      held[caller] = own + 1
      return true
    }
    return isTaken ? Place(self, caller) : nil
  }

  private func give(_ caller: String) {
    held.withLock { held in
      let own = held[caller, default: 1] - 1
      held[caller] = own > 0 ? own : nil
    }
  }
}
