@_spi(Tools) import AtRestBus
import Foundation
import Synchronization

/// A program on the session's bus that calls the agent, known by its unique name. Its calls are carried out one after
/// the other.
final class BusCaller: Sendable {
  /// A call that waits.
  struct Waiting: Sendable {
    let call: BusMessage
    /// The memory for the call.
    let held: Budget.Held?
    /// The descriptor that came with the call.
    let descriptor: OpenDescriptor?
    /// The place for the descriptor.
    let place: BusDescriptors.Place?
  }

  /// The process of a caller, and its share of the agent.
  struct Known: Sendable {
    let identity: PeerIdentity
    let share: Shares.Share
    /// True if the bus has a descriptor of the process.
    let isProven: Bool

    var holder: Holder { share.holder }
  }

  /// The number of calls of one program that wait.
  private static let mostWaiting = 64

  private struct State {
    var known: Known?
    var waiting: [Waiting] = []
    var isBusy = false
    var isGone = false
    var collections: Set<String> = []
  }

  let name: String
  let client: SecretClient
  private let state = Mutex(State())

  init(_ name: String, _ hub: any SignalHub) {
    self.name = name
    client = SecretClient(hub, name: name)
  }

  /// The one for whom memory is held. Programs that are not known yet have a share together.
  var holder: Holder {
    state.withLock { $0.known?.holder } ?? Holder(user: geteuid(), process: 0)
  }

  /// Adds a call. Returns false if too many wait.
  func add(_ call: Waiting) -> Bool {
    state.withLock { state in
      guard state.waiting.count < Self.mostWaiting, !state.isGone else { return false }
      state.waiting.append(call)
      return true
    }
  }

  /// Sets the process. Returns false if the program has ended.
  func identify(_ known: Known) -> Bool {
    state.withLock { state in
      guard !state.isGone else { return false }
      state.known = known
      return true
    }
  }

  /// Takes the next call, unless one is being carried out, or the process is not known.
  func next() -> (Waiting, Known)? {
    state.withLock { state in
      guard !state.isBusy, let known = state.known, !state.waiting.isEmpty else { return nil }
      state.isBusy = true
      known.share.isBusy = true
      return (state.waiting.removeFirst(), known)
    }
  }

  /// Says that the call that was taken is answered.
  func finish() {
    state.withLock { state in
      state.isBusy = false
      state.known?.share.isBusy = false
    }
  }

  /// Ends the sessions and prompts, and drops the calls that wait.
  ///
  /// - Returns: These calls, and the share.
  @discardableResult
  func end() -> ([Waiting], Shares.Share?) {
    let result = state.withLock { state in
      defer { (state.isGone, state.waiting) = (true, []) }
      return (state.waiting, state.known?.share)
    }
    client.end()
    return result
  }

  /// Notes that the program was given the list of the items of a collection.
  func note(knowsItemsOf collection: String) {
    state.withLock { state in
      guard state.collections.count < BusHub.mostCollections else { return }
      state.collections.insert(collection)
    }
  }

  func knowsItems(of collection: String) -> Bool {
    state.withLock { $0.collections.contains(collection) }
  }
}
