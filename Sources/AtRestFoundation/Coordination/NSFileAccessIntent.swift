#if !canImport(Darwin)
  /// A read or a write of one file, for `NSFileCoordinator.coordinate(with:queue:byAccessor:)`.
  open class NSFileAccessIntent: NSObject, @unchecked Sendable {
    // Nothing changes after the object was made.
    let access: FileAccess

    init(_ access: FileAccess) { self.access = access }

    /// Returns the intent to read a file or folder.
    open class func readingIntent(
      with url: URL, options: NSFileCoordinator.ReadingOptions = []
    ) -> NSFileAccessIntent {
      NSFileAccessIntent(FileAccess(url, .reading(options)))
    }

    /// Returns the intent to write a file or folder.
    open class func writingIntent(
      with url: URL, options: NSFileCoordinator.WritingOptions = []
    ) -> NSFileAccessIntent {
      NSFileAccessIntent(FileAccess(url, .writing(options)))
    }

    /// The file or folder to access.
    open var url: URL { access.url }
  }
#endif
