#if !canImport(Darwin)
  import Synchronization

  /// The coordinated accesses of this process, in the order in which they were requested.
  ///
  /// Safe to use from several threads.
  final class FileAccessQueue: Sendable {
    static let shared = FileAccessQueue()

    /// The accesses that begin and end together.
    final class Claim: Sendable {
      let accesses: [FileAccess]
      /// Claims of one purpose do not wait for each other.
      let purpose: String
      /// The presenter of the coordinator.
      let presenter: ObjectIdentifier?
      /// The thread that holds the claim, or nil if it waits for it on none.
      let thread: ObjectIdentifier?
      let granted: @Sendable (CocoaError?) -> Void

      init(
        _ accesses: [FileAccess], purpose: String, presenter: ObjectIdentifier?,
        thread: ObjectIdentifier?, granted: @escaping @Sendable (CocoaError?) -> Void
      ) {
        (self.accesses, self.purpose, self.presenter) = (accesses, purpose, presenter)
        (self.thread, self.granted) = (thread, granted)
      }

      func excludes(_ other: Claim) -> Bool {
        purpose != other.purpose
          && accesses.contains { one in other.accesses.contains { one.excludes($0) } }
      }
    }

    private struct State {
      var active: [Active] = []
      var waiting: [Claim] = []

      struct Active {
        let claim: Claim
        /// The presenters that were asked to make way. They may write while they do.
        var asked: Set<ObjectIdentifier> = []

        func excludes(_ other: Claim) -> Bool {
          !(other.presenter.map(asked.contains) ?? false) && claim.excludes(other)
        }
      }

      /// True if a claim can begin although those before it wait.
      func canBegin(_ claim: Claim, after earlier: some Sequence<Claim>) -> Bool {
        guard !active.contains(where: { $0.excludes(claim) }) else { return false }
        // Holders, and presenters that make way, would wait for a claim that waits for them.
        let isNested = active.contains {
          $0.claim.purpose == claim.purpose
            || ($0.claim.thread != nil && $0.claim.thread == claim.thread)
            || (claim.presenter.map($0.asked.contains) ?? false)
        }
        return isNested || !earlier.contains { $0.excludes(claim) }
      }

      /// Lets those begin that can.
      mutating func begin() -> [Claim] {
        var begun: [Claim] = []
        var index = 0
        while index < waiting.count {
          let claim = waiting[index]
          if canBegin(claim, after: waiting[..<index]) {
            waiting.remove(at: index)
            active.append(Active(claim: claim))
            begun.append(claim)
          } else {
            index += 1
          }
        }
        return begun
      }
    }

    private let state = Mutex(State())

    /// Requests accesses. `granted` of the claim is called when they can begin, or with an error.
    func request(_ claim: Claim) {
      let (begun, isDeadlock) = state.withLock { state in
        // Nobody could end what this thread holds.
        guard
          !state.active.contains(where: {
            $0.claim.thread != nil && $0.claim.thread == claim.thread && $0.excludes(claim)
          })
        else { return ([Claim](), true) }
        state.waiting.append(claim)
        return (state.begin(), false)
      }
      if isDeadlock {
        claim.granted(
          CocoaError(
            .fileLocking,
            userInfo: [
              NSUnderlyingErrorKey: NSError(domain: NSPOSIXErrorDomain, code: Int(EDEADLK))
            ]))
      }
      for claim in begun { claim.granted(nil) }
    }

    /// Records that a presenter is asked to make way for a claim that has begun.
    func ask(_ presenter: ObjectIdentifier, for claim: Claim) {
      let begun = state.withLock { state in
        guard let index = state.active.firstIndex(where: { $0.claim === claim }) else {
          return [Claim]()
        }
        state.active[index].asked.insert(presenter)
        return state.begin()
      }
      for claim in begun { claim.granted(nil) }
    }

    /// Records that the presenters have made way, and must wait from now on.
    func askNoMore(for claim: Claim) {
      state.withLock { state in
        guard let index = state.active.firstIndex(where: { $0.claim === claim }) else { return }
        state.active[index].asked = []
      }
    }

    /// Ends a claim that has begun.
    func end(_ claim: Claim) {
      let begun = state.withLock { state in
        state.active.removeAll { $0.claim === claim }
        return state.begin()
      }
      for claim in begun { claim.granted(nil) }
    }

    /// Ends the waiting of those claims of a purpose that have not begun.
    func cancel(purpose: String) {
      let (canceled, begun) = state.withLock { state in
        let canceled = state.waiting.filter { $0.purpose == purpose }
        state.waiting.removeAll { $0.purpose == purpose }
        return (canceled, state.begin())
      }
      for claim in canceled { claim.granted(CocoaError(.userCancelled)) }
      for claim in begun { claim.granted(nil) }
    }
  }
#endif
