import AtRestFoundation
import Synchronization
import Testing

/// Tests of the order of coordinated accesses.
///
/// Each test requests an access while its own thread holds another one. Requests take their places in the order of the
/// calls, so what ran when the held access ended shows what waited for it.
@Suite struct FileCoordinatorTests {
  private let url = FileManager.default.temporaryDirectory.appendingPathComponent(
    "atrest-coordination-\(UUID().uuidString)")

  /// An access that was requested, and runs on a queue of its own.
  private final class Request: Sendable {
    private let done = DispatchSemaphore(value: 0)
    private let state = Mutex<(ended: Bool, error: NSError?)>((false, nil))

    init(_ intents: [NSFileAccessIntent], by coordinator: NSFileCoordinator = .init()) {
      coordinator.coordinate(with: intents, queue: OperationQueue()) { error in
        self.state.withLock { $0 = (true, error.map { $0 as NSError }) }
        self.done.signal()
      }
    }

    var hasEnded: Bool { state.withLock { $0.ended } }
    var error: NSError? { state.withLock { $0.error } }
    func wait() { done.wait() }
  }

  private func reading(_ url: URL) -> NSFileAccessIntent { .readingIntent(with: url) }
  private func writing(_ url: URL) -> NSFileAccessIntent { .writingIntent(with: url) }

  /// Tests that a request waits until a held access has ended.
  private func expectWaits(
    _ request: NSFileAccessIntent, _ hold: ((URL) -> Void) -> Void,
    _ location: SourceLocation = #_sourceLocation
  ) {
    var waiting: Request?
    hold { _ in
      waiting = Request([request])
      // A request on another item goes through the same steps and does not wait.
      Request([writing(url.appendingPathExtension("other"))]).wait()
      #expect(waiting?.hasEnded == false, sourceLocation: location)
    }
    waiting?.wait()
    #expect(waiting?.error == nil, sourceLocation: location)
  }

  @Test func aWriteWaitsForARead() {
    expectWaits(writing(url)) {
      NSFileCoordinator().coordinate(readingItemAt: url, error: nil, byAccessor: $0)
    }
  }

  @Test func aReadWaitsForAWrite() {
    expectWaits(reading(url)) {
      NSFileCoordinator().coordinate(writingItemAt: url, error: nil, byAccessor: $0)
    }
  }

  @Test func anItemWaitsForItsFolderAndAFolderForItsItem() {
    let item = url.appendingPathComponent("folder/item")
    expectWaits(reading(item)) {
      NSFileCoordinator().coordinate(writingItemAt: url, error: nil, byAccessor: $0)
    }
    expectWaits(writing(url)) {
      NSFileCoordinator().coordinate(readingItemAt: item, error: nil, byAccessor: $0)
    }
  }

  @Test func anotherPathToTheItemIsTheSameItem() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    let link = url.appendingPathExtension("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
    defer { for item in [url, link] { try? FileManager.default.removeItem(at: item) } }
    expectWaits(writing(link.appendingPathComponent("item"))) {
      let item = url.appendingPathComponent("item")
      NSFileCoordinator().coordinate(writingItemAt: item, error: nil, byAccessor: $0)
    }
  }

  @Test func readsAndOtherItemsDoNotWait() {
    var readers = 0
    NSFileCoordinator().coordinate(readingItemAt: url, error: nil) { _ in
      Request([reading(url)]).wait()
      Request([writing(url.appendingPathExtension("x"))]).wait()
      // A name that begins with the same letters is no item of the folder.
      Request([writing(URL(fileURLWithPath: url.path + "x"))]).wait()
      readers += 1
    }
    #expect(readers == 1)
  }

  @Test func metadataWaitsForNothing() {
    var done = false
    NSFileCoordinator().coordinate(writingItemAt: url, error: nil) { _ in
      NSFileCoordinator().coordinate(
        readingItemAt: url, options: .immediatelyAvailableMetadataOnly, error: nil
      ) { _ in done = true }
    }
    #expect(done)
  }

  @Test func aReadWaitsForAWriteThatCameBefore() {
    var (write, read): (Request?, Request?)
    NSFileCoordinator().coordinate(readingItemAt: url, error: nil) { _ in
      write = Request([writing(url)])
      read = Request([reading(url)])
      Request([writing(url.appendingPathExtension("other"))]).wait()
      #expect(write?.hasEnded == false && read?.hasEnded == false)
    }
    write?.wait()
    read?.wait()
  }

  @Test func oneCoordinatorDoesNotWaitForItself() {
    let coordinator = NSFileCoordinator()
    var (isInner, error): (Bool, NSError?) = (false, nil)
    coordinator.coordinate(writingItemAt: url, error: &error) { url in
      coordinator.coordinate(readingItemAt: url, error: nil) { _ in isInner = true }
      let other = NSFileCoordinator()
      other.purposeIdentifier = coordinator.purposeIdentifier
      other.coordinate(writingItemAt: url, error: nil) { _ in isInner = isInner && true }
    }
    #expect(isInner)
    #expect(error == nil)
  }

  @Test func aThreadThatWouldWaitForItselfGetsAnError() {
    var (isInner, error): (Bool, NSError?) = (false, nil)
    NSFileCoordinator().coordinate(writingItemAt: url, error: nil) { url in
      NSFileCoordinator().coordinate(readingItemAt: url, error: &error) { _ in isInner = true }
    }
    #expect(!isInner)
    #expect((error as? CocoaError)?.code == .fileLocking || error?.code == 255)
  }

  @Test func whatWaitsCanBeCanceled() {
    let coordinator = NSFileCoordinator()
    NSFileCoordinator().coordinate(writingItemAt: url, error: nil) { url in
      let request = Request([reading(url)], by: coordinator)
      coordinator.cancel()
      request.wait()
      #expect(request.error?.code == CocoaError.userCancelled.rawValue)
    }
  }

  @Test func severalItemsAreHeldTogether() {
    let (one, two) = (url.appendingPathExtension("1"), url.appendingPathExtension("2"))
    for item in [one, two] {
      expectWaits(writing(item)) { body in
        NSFileCoordinator().coordinate(
          readingItemAt: one, writingItemAt: two, error: nil
        ) { one, two in body(one) }
      }
    }
    expectWaits(reading(two)) { body in
      NSFileCoordinator().prepare(
        forReadingItemsAt: [one], writingItemsAt: [two], error: nil
      ) { done in
        body(two)
        done()
      }
    }
  }

  /// Two numbers that a write changes one after the other.
  private final class Pair: Sendable {
    private let first = Mutex(0)
    private let second = Mutex(0)

    /// Returns false if only one of the two was changed.
    func access(_ url: URL, writing number: Int?) async -> Bool {
      await withCheckedContinuation { done in
        let intent: NSFileAccessIntent =
          number == nil ? .readingIntent(with: url) : .writingIntent(with: url)
        NSFileCoordinator().coordinate(with: [intent], queue: OperationQueue()) { _ in
          if let number { self.first.withLock { $0 = number } }
          let seen = self.first.withLock { $0 }
          if let number { self.second.withLock { $0 = number } }
          done.resume(returning: seen == self.second.withLock { $0 })
        }
      }
    }
  }

  /// Reads and writes of many threads never see half a change.
  @Test func nobodySeesHalfAChange() async {
    let pair = Pair()
    let url = url
    await withTaskGroup(of: Bool.self) { group in
      for number in 1...40 {
        group.addTask { await pair.access(url, writing: number.isMultiple(of: 2) ? number : nil) }
      }
      for await isWhole in group { #expect(isWhole) }
    }
  }
}
