#if !canImport(Darwin)
  import Dispatch
  import Synchronization

  /// A pointer through which a call returns an error.
  public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

  /// Coordinates reads and writes of files and folders among the objects of this process.
  ///
  /// ```swift
  /// let coordinator = NSFileCoordinator(filePresenter: nil)
  /// var error: NSError?
  /// coordinator.coordinate(writingItemAt: url, options: .forReplacing, error: &error) { url in
  ///   try? data.write(to: url, options: .completeFileProtection)
  /// }
  /// ```
  ///
  /// Reads of an item happen at the same time. A write waits until nothing else accesses the item, a folder that
  /// contains it, or an item in it, and the other way round. Those who wait have their turns in order. Registered
  /// presenters are asked to make way first, and learn of writes afterwards.
  ///
  /// Apple's coordinator also coordinates processes; this one does not. Programs that share a file need a lock of
  /// their own, such as `flock` on a file beside it. Protected files, and files written with `.atomic`, are
  /// replaced whole, so another process reads the former contents or the new ones. The closure receives the URL
  /// that was given, even if the item was moved while the access waited, and `forUploading` makes no copy. A
  /// thread that holds an item and requests an access that has to wait for it, with a coordinator of another
  /// purpose, gets an error (`CocoaError.fileLocking`); Apple's waits forever.
  ///
  /// A coordinator can be used from several threads.
  open class NSFileCoordinator: NSObject, @unchecked Sendable {
    /// Options of a read.
    public struct ReadingOptions: OptionSet, Sendable {
      public let rawValue: UInt
      /// Creates options from Apple's values.
      public init(rawValue: UInt) { self.rawValue = rawValue }
      /// Presenters are not asked to write their changes first.
      public static let withoutChanges = ReadingOptions(rawValue: 1)
      /// The closure receives the URL of the item to which a symbolic link leads.
      public static let resolvesSymbolicLink = ReadingOptions(rawValue: 2)
      /// Only metadata is read: the access waits for nothing, and nothing waits for it.
      public static let immediatelyAvailableMetadataOnly = ReadingOptions(rawValue: 4)
      /// Accepted for source compatibility. No copy is made.
      public static let forUploading = ReadingOptions(rawValue: 8)
    }

    /// Options of a write.
    public struct WritingOptions: OptionSet, Sendable {
      public let rawValue: UInt
      /// Creates options from Apple's values.
      public init(rawValue: UInt) { self.rawValue = rawValue }
      /// The item will be deleted.
      public static let forDeleting = WritingOptions(rawValue: 1)
      /// The item will be moved. Call `item(at:didMoveTo:)` afterwards.
      public static let forMoving = WritingOptions(rawValue: 2)
      /// Presenters are asked to write their changes first.
      public static let forMerging = WritingOptions(rawValue: 4)
      /// The item will be replaced by another one.
      public static let forReplacing = WritingOptions(rawValue: 8)
      /// Only metadata is written: the access waits for nothing, and nothing waits for it.
      public static let contentIndependentMetadataOnly = WritingOptions(rawValue: 16)
    }

    // MARK: Presenters

    /// Registers a presenter, which is held weakly.
    open class func addFilePresenter(_ filePresenter: any NSFilePresenter) {
      FilePresenters.shared.add(filePresenter)
    }

    /// Removes a presenter.
    open class func removeFilePresenter(_ filePresenter: any NSFilePresenter) {
      FilePresenters.shared.remove(filePresenter)
    }

    /// The registered presenters.
    open class var filePresenters: [any NSFilePresenter] { FilePresenters.shared.all }

    // MARK: Creation

    private let state: Mutex<String>
    private let presenter: ObjectIdentifier?

    /// Creates a coordinator.
    ///
    /// - Parameter filePresenter: A presenter that is not told of this coordinator's accesses, because it makes
    ///   them itself.
    public init(filePresenter: (any NSFilePresenter)? = nil) {
      presenter = filePresenter.map { ObjectIdentifier($0) }
      state = Mutex(UUID().uuidString)
    }

    /// The purpose of the accesses. Coordinators of one purpose do not wait for each other.
    open var purposeIdentifier: String {
      get { state.withLock { $0 } }
      set { state.withLock { $0 = newValue } }
    }

    // MARK: Accesses

    /// Calls a closure when a file or folder can be read.
    ///
    /// - Parameter outError: Receives an error if the closure was not called: that of a presenter,
    ///   `CocoaError.userCancelled` after ``cancel()``, or `CocoaError.fileLocking`.
    open func coordinate(
      readingItemAt url: URL, options: ReadingOptions = [], error outError: NSErrorPointer,
      byAccessor reader: (URL) -> Void
    ) {
      perform([FileAccess(url, .reading(options))], outError) { reader($0[0]) }
    }

    /// Calls a closure when a file or folder can be written.
    ///
    /// - Parameter outError: See ``coordinate(readingItemAt:options:error:byAccessor:)``.
    open func coordinate(
      writingItemAt url: URL, options: WritingOptions = [], error outError: NSErrorPointer,
      byAccessor writer: (URL) -> Void
    ) {
      perform([FileAccess(url, .writing(options))], outError) { writer($0[0]) }
    }

    /// Calls a closure when one item can be read and another one written.
    ///
    /// - Parameter outError: See ``coordinate(readingItemAt:options:error:byAccessor:)``.
    open func coordinate(
      readingItemAt readingURL: URL, options readingOptions: ReadingOptions = [],
      writingItemAt writingURL: URL, options writingOptions: WritingOptions = [],
      error outError: NSErrorPointer, byAccessor readerWriter: (URL, URL) -> Void
    ) {
      let accesses = [
        FileAccess(readingURL, .reading(readingOptions)),
        FileAccess(writingURL, .writing(writingOptions)),
      ]
      perform(accesses, outError) { readerWriter($0[0], $0[1]) }
    }

    /// Calls a closure when two items can be written.
    ///
    /// - Parameter outError: See ``coordinate(readingItemAt:options:error:byAccessor:)``.
    open func coordinate(
      writingItemAt url1: URL, options options1: WritingOptions = [],
      writingItemAt url2: URL, options options2: WritingOptions = [],
      error outError: NSErrorPointer, byAccessor writer: (URL, URL) -> Void
    ) {
      let accesses = [FileAccess(url1, .writing(options1)), FileAccess(url2, .writing(options2))]
      perform(accesses, outError) { writer($0[0], $0[1]) }
    }

    /// Calls a closure when all items can be accessed, for accesses in it that this coordinator makes.
    ///
    /// - Parameter outError: See ``coordinate(readingItemAt:options:error:byAccessor:)``.
    open func prepare(
      forReadingItemsAt readingURLs: [URL], options readingOptions: ReadingOptions = [],
      writingItemsAt writingURLs: [URL], options writingOptions: WritingOptions = [],
      error outError: NSErrorPointer, byAccessor batchAccessor: (@escaping () -> Void) -> Void
    ) {
      let accesses =
        readingURLs.map { FileAccess($0, .reading(readingOptions)) }
        + writingURLs.map { FileAccess($0, .writing(writingOptions)) }
      // The accesses last until the closure calls its argument.
      let ended = DispatchSemaphore(value: 0)
      perform(accesses, outError) { _ in
        batchAccessor { ended.signal() }
        ended.wait()
      }
    }

    /// Calls a closure on a queue when all items of the intents can be accessed.
    ///
    /// - Parameter accessor: Called once. If its argument is an error, nothing may be accessed: see
    ///   ``coordinate(readingItemAt:options:error:byAccessor:)``.
    open func coordinate(
      with intents: [NSFileAccessIntent], queue: OperationQueue,
      byAccessor accessor: @escaping @Sendable ((any Error)?) -> Void
    ) {
      let granted = Granted()
      let claim = FileAccessQueue.Claim(
        intents.map(\.access), purpose: purposeIdentifier, presenter: presenter, thread: nil
      ) { error in
        // Presenters are waited for, and whoever granted the access may not be kept.
        DispatchQueue.global().async {
          guard let claim = granted.claim else { return }
          do {
            if let error { throw error }
            let reacquisition = try FilePresenters.shared.makeWay(for: claim)
            queue.addOperation {
              accessor(nil)
              Self.end(claim, reacquisition)
            }
          } catch {
            FileAccessQueue.shared.end(claim)
            let error = error as NSError
            queue.addOperation { accessor(error) }
          }
        }
      }
      granted.claim = claim
      FileAccessQueue.shared.request(claim)
    }

    /// Ends the waiting of this coordinator's accesses that have not begun.
    open func cancel() { FileAccessQueue.shared.cancel(purpose: purposeIdentifier) }

    // MARK: Moves

    /// Announces that an item will be moved. The call does nothing here.
    open func item(at oldURL: URL, willMoveTo newURL: URL) {}

    /// Tells the presenters of an item that it was moved.
    open func item(at oldURL: URL, didMoveTo newURL: URL) {
      FilePresenters.shared.didMove(oldURL, to: newURL, except: presenter)
    }

    // MARK: Performing

    /// The claim of an asynchronous access, which its own closure needs.
    private final class Granted: Sendable {
      private let state = Mutex<FileAccessQueue.Claim?>(nil)
      var claim: FileAccessQueue.Claim? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
      }
    }

    private func perform(
      _ accesses: [FileAccess], _ outError: NSErrorPointer, _ body: ([URL]) -> Void
    ) {
      let granted = DispatchSemaphore(value: 0)
      let refusal = Refusal()
      let claim = FileAccessQueue.Claim(
        accesses, purpose: purposeIdentifier, presenter: presenter,
        thread: ObjectIdentifier(Thread.current)
      ) { error in
        refusal.error = error
        granted.signal()
      }
      FileAccessQueue.shared.request(claim)
      granted.wait()
      do {
        if let error = refusal.error { throw error }
        let reacquisition = try FilePresenters.shared.makeWay(for: claim)
        body(accesses.map(\.url))
        Self.end(claim, reacquisition)
      } catch {
        FileAccessQueue.shared.end(claim)
        outError?.pointee = error as NSError
      }
    }

    private final class Refusal: Sendable {
      private let state = Mutex<CocoaError?>(nil)
      var error: CocoaError? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
      }
    }

    private static func end(
      _ claim: FileAccessQueue.Claim, _ reacquisition: FilePresenters.Reacquisition
    ) {
      FileAccessQueue.shared.end(claim)
      reacquisition.callAll()
      FilePresenters.shared.didAccess(claim)
    }
  }
#endif
