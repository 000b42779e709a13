import Synchronization

/// The connections, shared fairly among processes and programs.
///
/// If there are too many, of all or of one program, a connection of the program and the process that have the
/// most ends: the one that was silent for the longest time, or if it has a request in work on all of them, the
/// oldest one. A new client is therefore always served, however many connections others hold, and whatever they
/// wait for. Only a process that has its share is refused, and another user.
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
  }

  private let limits: Limits
  private let user: UInt32
  private let state = Mutex(State())
  private let uses = Atomic<UInt64>(0)

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
  /// - Returns: The share, or nil if this process or user has too many.
  func admit(_ holder: Holder, end: @escaping @Sendable () -> Void) -> Share? {
    let (share, ended) = state.withLock { state -> (Share?, Share?) in
      let ofUser = state.held.values.filter { $0.holder.user == holder.user }
      let ofProgram = ofUser.filter { $0.holder.program == holder.program }
      // Root's service manager is another user, and fetches credentials.
      let isForeign = holder.user != user && holder.user != 0
      guard ofUser.count(where: { $0.holder.process == holder.process }) < limits.ofProcess,
        !isForeign || ofUser.count < limits.ofOtherUser
      else { return (nil, nil) }
      var ended: Share?
      if ofProgram.count >= limits.ofProgram {
        ended = Self.dispensable(ofProgram)
      } else if state.held.count >= limits.all {
        ended = Self.dispensable(Array(state.held.values))
      }
      if let ended { state.held[ObjectIdentifier(ended)] = nil }
      let share = Share(holder, nextUse(), end: end)
      state.held[ObjectIdentifier(share)] = share
      return (share, ended)
    }
    ended?.end()
    return share
  }

  /// Notes that a connection is used.
  func touch(_ share: Share) { share.lastUse.store(nextUse(), ordering: .relaxed) }

  private func nextUse() -> UInt64 { uses.add(1, ordering: .relaxed).newValue }

  /// Forgets a connection that has ended.
  func remove(_ share: Share) {
    state.withLock { $0.held[ObjectIdentifier(share)] = nil }
  }

  /// Returns the connection that ends in favour of another one.
  private static func dispensable(_ shares: [Share]) -> Share? {
    var programs: [Holder.Program: Int] = [:]
    var processes: [Int32: Int] = [:]
    for share in shares {
      programs[share.holder.program, default: 0] += 1
      processes[share.holder.process, default: 0] += 1
    }
    func counts(_ share: Share) -> (Int, Int) {
      (programs[share.holder.program]!, processes[share.holder.process]!)
    }
    return shares.max { first, second in
      let (one, other) = (counts(first), counts(second))
      if one != other { return one < other }
      if first.isBusy != second.isBusy { return first.isBusy }
      return first.lastUse.load(ordering: .relaxed) > second.lastUse.load(ordering: .relaxed)
    }
  }
}
