#if !canImport(Darwin)
  @_spi(Tools) import AtRestCrypto
  import AtRestKeybag
  import Dispatch
  import Synchronization

  /// The registered presenters of this process. Coordinators ask them and tell them.
  final class FilePresenters: Sendable {
    static let shared = FilePresenters()

    // Presenters are called on their own queues alone.
    private struct Registered: @unchecked Sendable { weak var presenter: (any NSFilePresenter)? }
    private let registered = Mutex<[Registered]>([])

    func add(_ presenter: any NSFilePresenter) {
      let new = Registered(presenter: presenter)
      registered.withLock { all in
        all.removeAll { $0.presenter == nil || $0.presenter === new.presenter }
        all.append(new)
      }
    }

    func remove(_ presenter: any NSFilePresenter) {
      let old = Registered(presenter: presenter)
      registered.withLock { all in
        all.removeAll { $0.presenter == nil || $0.presenter === old.presenter }
      }
    }

    var all: [any NSFilePresenter] { registered.withLock { $0 }.compactMap(\.presenter) }

    /// A presenter that has an item.
    fileprivate struct Present: @unchecked Sendable {
      let presenter: any NSFilePresenter
      let path: String

      /// Calls it on its queue. On that queue, it is called at once: whoever waits there would wait forever.
      func call(_ body: @escaping @Sendable (any NSFilePresenter) -> Void) {
        let queue = presenter.presentedItemOperationQueue
        guard OperationQueue.current !== queue,
          queue !== OperationQueue.main || !Thread.isMainThread
        else { return body(presenter) }
        queue.addOperation { body(presenter) }
      }

      func isIn(_ access: FileAccess) -> Bool { access.contains(path) }
      func isAround(_ access: FileAccess) -> Bool {
        path != access.path && SystemPath.isPath(access.path, in: path)
      }
    }

    /// Returns the presenters whose item an access concerns, without that of the coordinator.
    private func present(at access: FileAccess, except own: ObjectIdentifier?) -> [Present] {
      guard !access.isOfMetadata else { return [] }
      return all.filter { ObjectIdentifier($0) != own }.compactMap { presenter in
        presenter.presentedItemURL.map { Present(presenter: presenter, path: RealPath.of($0)) }
      }.filter { $0.isIn(access) || $0.isAround(access) }
    }

    // MARK: Before an access

    /// The closures that presenters which made way want called after the access.
    struct Reacquisition: Sendable {
      private var bodies: [(Present, @Sendable () -> Void)] = []
      fileprivate mutating func append(_ present: Present, _ body: @escaping @Sendable () -> Void) {
        bodies.append((present, body))
      }
      func callAll() { for (present, body) in bodies { present.call { _ in body() } } }
    }

    private typealias Answer = @Sendable ((any Error)?, (@Sendable () -> Void)?) -> Void

    /// Asks the presenters to make way for a claim that has begun, and waits for them.
    ///
    /// - Throws: The error of a presenter that cannot.
    func makeWay(for claim: FileAccessQueue.Claim) throws -> Reacquisition {
      var reacquisition = Reacquisition()
      defer { FileAccessQueue.shared.askNoMore(for: claim) }
      do {
        for access in claim.accesses {
          for present in present(at: access, except: claim.presenter) {
            FileAccessQueue.shared.ask(ObjectIdentifier(present.presenter), for: claim)
            try makeWay(present, for: access, &reacquisition)
          }
        }
      } catch {
        reacquisition.callAll()
        throw error
      }
      return reacquisition
    }

    private func makeWay(
      _ present: Present, for access: FileAccess, _ reacquisition: inout Reacquisition
    ) throws {
      func save() throws {
        _ = try ask(present) { presenter, answer in
          presenter.savePresentedItemChanges { answer($0, nil) }
        }
      }
      var body: (@Sendable () -> Void)?
      switch access.kind {
      case .reading(let options):
        guard present.isIn(access) else { return }
        if !options.contains(.withoutChanges) { try save() }
        body = try ask(present) { presenter, answer in
          presenter.relinquishPresentedItem(toReader: { answer(nil, $0) })
        }
      case .writing(let options):
        guard present.isIn(access) else {
          guard options.contains(.forDeleting) else { return }
          let url = access.url
          _ = try ask(present) { presenter, answer in
            presenter.accommodatePresentedSubitemDeletion(at: url) { answer($0, nil) }
          }
          return
        }
        if options.contains(.forMerging) { try save() }
        if options.contains(.forDeleting) {
          _ = try ask(present) { presenter, answer in
            presenter.accommodatePresentedItemDeletion { answer($0, nil) }
          }
        }
        body = try ask(present) { presenter, answer in
          presenter.relinquishPresentedItem(toWriter: { answer(nil, $0) })
        }
      }
      if let body { reacquisition.append(present, body) }
    }

    /// Calls a presenter, and waits for its answer.
    private func ask(
      _ present: Present,
      _ body: @escaping @Sendable (any NSFilePresenter, @escaping Answer) -> Void
    ) throws -> (@Sendable () -> Void)? {
      let reply = Reply()
      present.call { presenter in body(presenter) { reply.give($0, $1) } }
      return try reply.wait()
    }

    /// The answer of a presenter, for which one thread waits.
    private final class Reply: Sendable {
      private let given = DispatchSemaphore(value: 0)
      private let state = Mutex<(error: NSError?, body: (@Sendable () -> Void)?)>((nil, nil))

      func give(_ error: (any Error)?, _ body: (@Sendable () -> Void)?) {
        let error = error.map { $0 as NSError }
        state.withLock { $0 = (error, body) }
        given.signal()
      }

      func wait() throws -> (@Sendable () -> Void)? {
        given.wait()
        let (error, body) = state.withLock { $0 }
        if let error { throw error }
        return body
      }
    }

    // MARK: After an access

    /// Tells the presenters that the items of a claim may have changed.
    func didAccess(_ claim: FileAccessQueue.Claim) {
      for access in claim.accesses {
        guard case .writing(let options) = access.kind else { continue }
        let url = access.url
        for present in present(at: access, except: claim.presenter) {
          if present.isAround(access) {
            present.call { $0.presentedSubitemDidChange(at: url) }
          } else if !options.contains(.forDeleting) {
            present.call { $0.presentedItemDidChange() }
          }
        }
      }
    }

    /// Tells the presenters that an item was moved.
    func didMove(_ old: URL, to new: URL, except own: ObjectIdentifier?) {
      let access = FileAccess(old, .writing(.forMoving))
      for present in present(at: access, except: own) {
        if present.path == access.path {
          present.call { $0.presentedItemDidMove(to: new) }
        } else if present.isAround(access) {
          present.call { $0.presentedSubitem(at: old, didMoveTo: new) }
        }
      }
    }
  }
#endif
