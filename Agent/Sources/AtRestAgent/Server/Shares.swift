import Synchronization

/// The connections, shared fairly among processes and programs.
///
/// If there are too many, a connection of the program that has the most ends: the one that was silent for
/// the longest time, or if it has a request in work on all of them, the oldest one. A new client is
/// therefore always served, however many connections others hold, and whatever they wait for.
final class Shares: Sendable {
  /// The numbers of connections that are held at the same time.
  struct Limits: Sendable {
    var all = 512
    var ofProgram = 256
    var ofProcess = 128
    /// Those of each other user, who is refused in any case.
    var ofOtherUser = 8
  }

  /// A connection that is held.
  final class Share: Sendable {
    let holder: Holder
    /// A number that grows with the time of the last use.
    fileprivate let lastUse: Atomic<UInt64>
    private let busy = Atomic(false)
    fileprivate let end: @Sendable () -> Void

    fileprivate init(_ holder: Holder, _ number: UInt64, end: @escaping @Sendable () -> Void) {
      self.holder = holder
      lastUse = Atomic(number)
      self.end = end
    }

    /// True while a request is in work. A silent connection of the same program ends first.
    var isBusy: Bool {
      get { busy.load(ordering: .relaxed) }
      set { busy.store(newValue, ordering: .relaxed) }
    }
  }

  private struct State {
    var held: [ObjectIdentifier: Share] = [:]
    var uses: UInt64 = 0
  }

  private let limits: Limits
  private let user: UInt32
  private let state = Mutex(State())

  /// - Parameter user: The user of the agent.
  init(_ limits: Limits = Limits(), user: UInt32) {
    (self.limits, self.user) = (limits, user)
  }

  /// The number of connections.
  var count: Int { state.withLock { $0.held.count } }

  /// The number of connections with a request in work.
  var busyCount: Int { state.withLock { $0.held.values.count { $0.isBusy } } }

  /// Admits a connection, and ends another one if there are too many.
  ///
  /// - Parameter end: Ends the connection. It is called on any thread.
  /// - Returns: The share, or nil if this holder has too many.
  func admit(_ holder: Holder, end: @escaping @Sendable () -> Void) -> Share? {
    let (share, ended) = state.withLock { state -> (Share?, Share?) in
      var (ofProcess, ofProgram) = (0, 0)
      for share in state.held.values where share.holder.user == holder.user {
        if share.holder.process == holder.process { ofProcess += 1 }
        if share.holder.program == holder.program { ofProgram += 1 }
      }
      // Root's service manager is another user, and fetches credentials.
      let isForeign = holder.user != user && holder.user != 0
      guard ofProcess < limits.ofProcess, ofProgram < limits.ofProgram,
        !isForeign || Self.count(state, ofUser: holder.user) < limits.ofOtherUser
      else { return (nil, nil) }
      var ended: Share?
      if state.held.count >= limits.all {
        ended = Self.dispensable(state)
        if let ended { state.held[ObjectIdentifier(ended)] = nil }
      }
      state.uses += 1
      let share = Share(holder, state.uses, end: end)
      state.held[ObjectIdentifier(share)] = share
      return (share, ended)
    }
    ended?.end()
    return share
  }

  /// Notes that a connection is used.
  func touch(_ share: Share) {
    let number = state.withLock { state in
      state.uses += 1
      return state.uses
    }
    share.lastUse.store(number, ordering: .relaxed)
  }

  /// Forgets a connection that has ended.
  func remove(_ share: Share) {
    state.withLock { $0.held[ObjectIdentifier(share)] = nil }
  }

  private static func count(_ state: State, ofUser user: UInt32) -> Int {
    state.held.values.count { $0.holder.user == user }
  }

  /// Returns the connection that ends in favour of another one.
  private static func dispensable(_ state: State) -> Share? {
    var counts: [Holder.Program: Int] = [:]
    for share in state.held.values { counts[share.holder.program, default: 0] += 1 }
    return state.held.values.max { first, second in
      let (one, other) = (counts[first.holder.program]!, counts[second.holder.program]!)
      if one != other { return one < other }
      if first.isBusy != second.isBusy { return first.isBusy }
      return first.lastUse.load(ordering: .relaxed) > second.lastUse.load(ordering: .relaxed)
    }
  }
}
