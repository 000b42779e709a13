import AtRestFoundation
import Synchronization
import Testing

/// Tests of what presenters are asked and told.
@Suite struct FilePresenterTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "atrest-presenters-\(UUID().uuidString)")
  private var file: URL { folder.appendingPathComponent("file") }

  /// The events of a test, in order.
  private final class Events: Sendable {
    private let state = Mutex<[String]>([])
    func append(_ event: String) { state.withLock { $0.append(event) } }
    var all: [String] { state.withLock { $0 } }
  }

  private final class Document: NSObject, NSFilePresenter, @unchecked Sendable {
    let presentedItemURL: URL?
    let presentedItemOperationQueue = OperationQueue()
    let events: Events
    let error: CocoaError?

    init(_ url: URL, _ events: Events, error: CocoaError? = nil) {
      (presentedItemURL, self.events, self.error) = (url, events, error)
      super.init()
      presentedItemOperationQueue.maxConcurrentOperationCount = 1
      NSFileCoordinator.addFilePresenter(self)
    }

    func relinquishPresentedItem(
      toReader reader: @escaping @Sendable ((@Sendable () -> Void)?) -> Void
    ) {
      events.append("reader")
      reader { self.events.append("reacquired") }
    }
    func relinquishPresentedItem(
      toWriter writer: @escaping @Sendable ((@Sendable () -> Void)?) -> Void
    ) {
      events.append("writer")
      writer { self.events.append("reacquired") }
    }
    // Apps leave out @Sendable.
    func savePresentedItemChanges(completionHandler: @escaping ((any Error)?) -> Void) {
      guard let url = presentedItemURL else { return completionHandler(nil) }
      // A document that saves itself does so in an access of its own.
      var error: NSError?
      NSFileCoordinator(filePresenter: self).coordinate(writingItemAt: url, error: &error) { _ in
        events.append("saved")
      }
      completionHandler(self.error ?? error)
    }
    func accommodatePresentedItemDeletion(completionHandler: @escaping ((any Error)?) -> Void) {
      events.append("deletion")
      completionHandler(error)
    }
    func accommodatePresentedSubitemDeletion(
      at url: URL, completionHandler: @escaping ((any Error)?) -> Void
    ) {
      events.append("deletion of \(url.lastPathComponent)")
      completionHandler(nil)
    }
    func presentedItemDidMove(to newURL: URL) {
      events.append("moved to \(newURL.lastPathComponent)")
    }
    func presentedItemDidChange() { events.append("changed") }
    func presentedSubitemDidChange(at url: URL) {
      events.append("changed \(url.lastPathComponent)")
    }
    func presentedSubitem(at oldURL: URL, didMoveTo newURL: URL) {
      events.append("moved \(oldURL.lastPathComponent) to \(newURL.lastPathComponent)")
    }

    /// Waits for what the presenter is told, and removes it.
    func end() {
      presentedItemOperationQueue.waitUntilAllOperationsAreFinished()
      NSFileCoordinator.removeFilePresenter(self)
    }
  }

  @Test func aReadAsksToSave() {
    let events = Events()
    let document = Document(file, events)
    NSFileCoordinator().coordinate(readingItemAt: file, error: nil) { _ in events.append("read") }
    NSFileCoordinator().coordinate(readingItemAt: file, options: .withoutChanges, error: nil) {
      _ in events.append("read")
    }
    document.end()
    #expect(events.all.prefix(3) == ["saved", "reader", "read"])
    #expect(events.all.filter { $0 == "saved" }.count == 1)
    #expect(events.all.filter { $0 == "reacquired" }.count == 2)
    #expect(!events.all.contains("changed"))
  }

  @Test func aWriteIsAnnouncedAndTold() {
    let events = Events()
    let document = Document(file, events)
    NSFileCoordinator().coordinate(writingItemAt: file, error: nil) { _ in events.append("write") }
    document.end()
    #expect(events.all == ["writer", "write", "reacquired", "changed"])
  }

  @Test func onesOwnAccessesAreNotTold() {
    let events = Events()
    let document = Document(file, events)
    NSFileCoordinator(filePresenter: document).coordinate(writingItemAt: file, error: nil) { _ in
      events.append("write")
    }
    document.end()
    #expect(events.all == ["write"])
  }

  @Test func aFolderLearnsOfItsItems() {
    let events = Events()
    let document = Document(folder, events)
    NSFileCoordinator().coordinate(writingItemAt: file, error: nil) { _ in events.append("write") }
    NSFileCoordinator().coordinate(writingItemAt: file, options: .forDeleting, error: nil) { _ in
      events.append("delete")
    }
    let coordinator = NSFileCoordinator()
    coordinator.item(at: file, didMoveTo: folder.appendingPathComponent("next"))
    document.end()
    #expect(
      events.all.filter { $0 != "changed file" }
        == ["write", "deletion of file", "delete", "moved file to next"])
  }

  @Test func aMoveIsTold() {
    let events = Events()
    let document = Document(file, events)
    NSFileCoordinator().item(at: file, didMoveTo: folder.appendingPathComponent("next"))
    document.end()
    #expect(events.all == ["moved to next"])
  }

  @Test func aPresenterCanPreventADeletion() {
    let events = Events()
    let document = Document(file, events, error: CocoaError(.fileWriteNoPermission))
    var error: NSError?
    NSFileCoordinator().coordinate(writingItemAt: file, options: .forDeleting, error: &error) {
      _ in events.append("delete")
    }
    document.end()
    #expect(events.all == ["deletion"])
    #expect(error?.code == CocoaError.fileWriteNoPermission.rawValue)
  }

  /// Its methods have defaults, which must not wait for a queue that waits for them.
  @Test func aPresenterOnTheQueueOfTheAccessDoesNotBlockIt() {
    final class Plain: NSObject, NSFilePresenter, @unchecked Sendable {
      let presentedItemURL: URL?
      let presentedItemOperationQueue = OperationQueue()
      init(_ url: URL) {
        presentedItemURL = url
        super.init()
        presentedItemOperationQueue.maxConcurrentOperationCount = 1
        NSFileCoordinator.addFilePresenter(self)
      }
    }
    let (plain, file) = (Plain(file), file)
    let isRead = Mutex(false)
    plain.presentedItemOperationQueue.addOperation {
      NSFileCoordinator().coordinate(readingItemAt: file, error: nil) { _ in
        isRead.withLock { $0 = true }
      }
    }
    plain.presentedItemOperationQueue.waitUntilAllOperationsAreFinished()
    #expect(isRead.withLock { $0 })
    NSFileCoordinator.removeFilePresenter(plain)
  }

  @Test func presentersAreHeldWeakly() {
    let file = file
    do { _ = Document(file, Events()) }
    #expect(!NSFileCoordinator.filePresenters.contains { $0.presentedItemURL == file })
  }
}
