#if !canImport(Darwin)
  /// An object that shows a file or folder, and learns of coordinated accesses to it.
  ///
  /// Register it with `NSFileCoordinator.addFilePresenter(_:)`, which holds it weakly. Its methods are called on
  /// ``presentedItemOperationQueue``, and each has a default implementation. They are called for accesses in
  /// the same process alone; nothing watches the file system.
  @preconcurrency public protocol NSFilePresenter: NSObjectProtocol {
    /// The file or folder, or nil to learn of nothing.
    var presentedItemURL: URL? { get }
    /// The queue on which the methods are called. It must not wait for the access that is coordinated.
    var presentedItemOperationQueue: OperationQueue { get }

    /// Called before another object reads the item. Call `reader`, which waits for it, with a closure that is
    /// called after the access.
    func relinquishPresentedItem(
      toReader reader: @escaping @Sendable ((@Sendable () -> Void)?) -> Void)
    /// Called before another object writes the item. Call `writer` as `reader` of
    /// ``relinquishPresentedItem(toReader:)``.
    func relinquishPresentedItem(
      toWriter writer: @escaping @Sendable ((@Sendable () -> Void)?) -> Void)
    /// Called before another object reads the item, or writes it with `forMerging`. Write the changes that have
    /// not been written. An error cancels the access.
    func savePresentedItemChanges(completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    /// Called before another object deletes the item. An error cancels the deletion.
    func accommodatePresentedItemDeletion(
      completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    /// Called before another object deletes an item in the folder that is presented.
    func accommodatePresentedSubitemDeletion(
      at url: URL, completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    /// Called after a coordinator said that the item was moved.
    func presentedItemDidMove(to newURL: URL)
    /// Called after another object wrote the item.
    func presentedItemDidChange()
    /// Called after another object wrote an item in the folder that is presented.
    func presentedSubitemDidChange(at url: URL)
    /// Called after a coordinator said that an item in the folder that is presented was moved.
    func presentedSubitem(at oldURL: URL, didMoveTo newURL: URL)
  }

  // The defaults do what Apple's coordinator does for an object without the method.
  extension NSFilePresenter {
    public func relinquishPresentedItem(
      toReader reader: @escaping @Sendable ((@Sendable () -> Void)?) -> Void
    ) { reader(nil) }
    public func relinquishPresentedItem(
      toWriter writer: @escaping @Sendable ((@Sendable () -> Void)?) -> Void
    ) { writer(nil) }
    public func savePresentedItemChanges(
      completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) { completionHandler(nil) }
    public func accommodatePresentedItemDeletion(
      completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) { completionHandler(nil) }
    public func accommodatePresentedSubitemDeletion(
      at url: URL, completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) { completionHandler(nil) }
    public func presentedItemDidMove(to newURL: URL) {}
    public func presentedItemDidChange() {}
    public func presentedSubitemDidChange(at url: URL) {}
    public func presentedSubitem(at oldURL: URL, didMoveTo newURL: URL) {}
  }
#endif
