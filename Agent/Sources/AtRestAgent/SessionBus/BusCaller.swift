@_spi(Tools) import AtRestBus
@_spi(Tools) import AtRestKeychain
import Foundation
import Synchronization

/// A program on the session's bus that calls the agent, known by its unique name. Its calls are carried out one after
/// the other.
final class BusCaller: Sendable {
  /// A call that waits, in its bytes: decoded, a call can take many times the memory.
  struct Queued: Sendable {
    let bytes: AgentSecret
    /// A call without the rest, by which this one is answered.
    let address: BusMessage
    /// The memory for the call.
    let held: Budget.Held
    /// The descriptor that came with the call.
    let descriptor: OpenDescriptor?
    /// The place for the descriptor.
    let place: BusDescriptors.Place?

    /// - Parameter head: The header of the call.
    init(
      _ bytes: AgentSecret, _ head: BusMessage, _ held: Budget.Held,
      _ descriptor: OpenDescriptor?, _ place: BusDescriptors.Place?
    ) {
      var address = BusMessage(.call, serial: head.serial)
      (address.sender, address.wantsReply) = (head.sender, head.wantsReply)
      (self.bytes, self.address, self.held) = (bytes, address, held)
      (self.descriptor, self.place) = (descriptor, place)
    }

    /// The memory that a call of a size takes: slots of locked memory have sizes of a power of two.
    static func memory(_ size: Int) -> Int { 512 + 1 << (Int.bitWidth - size.leadingZeroBitCount) }

    /// Returns what the answer takes.
    func work(by secrets: SecretService) -> FrameWork {
      bytes.bytes.withUnsafeBytes { bytes in
        guard let head = try? BusMessage(decodingHeader: bytes) else { return .usual }
        // This one depends on the body.
        guard head.member == "GetSecrets" else { return secrets.work(for: head) }
        return (try? BusMessage(decoding: bytes)).map(secrets.work(for:)) ?? .usual
      }
    }

    /// Returns what the answer takes, or nil for a call that waits for the earlier ones of its caller.
    func workWithoutOrder(by secrets: SecretService) -> FrameWork? {
      bytes.bytes.withUnsafeBytes { bytes in
        (try? BusMessage(decodingHeader: bytes)).flatMap(secrets.workWithoutOrder(for:))
      }
    }

    /// Decodes the call, whose turn has come.
    func decoded() throws -> Waiting {
      Waiting(
        call: try bytes.bytes.withUnsafeBytes { try BusMessage(decoding: $0) },
        descriptor: descriptor)
    }
  }

  /// A call whose turn has come.
  struct Waiting: Sendable {
    var call: BusMessage
    /// The descriptor that came with the call.
    let descriptor: OpenDescriptor?
  }

  /// The process of a caller, and its share of the agent.
  struct Known: Sendable {
    let identity: PeerIdentity
    let share: Shares.Share
    /// True if the bus has a descriptor of the process.
    let isProven: Bool

    var holder: Holder { share.holder }
  }

  /// The number of calls of one program that wait, and of those before it is known.
  private static let mostWaiting = 64
  private static let mostBeforeKnown = 1

  private struct State {
    var known: Known?
    var waiting: [Queued] = []
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

  /// The process, or nil before it is known.
  var known: Known? { state.withLock { $0.known } }

  /// Returns true if a call may wait, or need not.
  func hasRoom(for head: BusMessage, by secrets: SecretService) -> Bool {
    state.withLock { state in
      Self.hasRoom(state) || state.known != nil && secrets.workWithoutOrder(for: head) != nil
    }
  }

  private static func hasRoom(_ state: State) -> Bool {
    state.waiting.count < (state.known == nil ? mostBeforeKnown : mostWaiting) && !state.isGone
  }

  /// Adds a call. Returns false if too many wait.
  func add(_ call: Queued) -> Bool {
    state.withLock { state in
      guard Self.hasRoom(state) else { return false }
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
  func next() -> (Queued, Known)? {
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
  func end() -> ([Queued], Shares.Share?) {
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
