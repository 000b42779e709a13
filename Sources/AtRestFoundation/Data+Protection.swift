#if !canImport(Darwin)
  import AtRestFiles

  extension Data {
    /// Writes to a file, in the protection class that an option names.
    ///
    /// ```swift
    /// try data.write(to: url, options: [.atomic, .completeFileProtection])
    /// ```
    ///
    /// Without such an option it does what Foundation does; only where the file is there and protected
    /// it stays in its class, as on iOS. A protected file is always written whole and durable, and is
    /// new with mode 0600.
    ///
    /// - Throws: Where no class is concerned what Foundation throws; else `AtRestError`: `locked` where
    ///   the class takes no new files now, `duplicate` where the file is there and is not to be
    ///   overwritten, `notPermitted` where it is protected by other keys, `invalidArgument`, `system`,
    ///   and what opening the store throws (`DefaultKeychain.get()`). What was there stands then as it
    ///   was.
    public func write(to url: URL, options: Data.WritingOptions = []) throws {
      guard try !ProtectedPlace(url).write(self, options) else { return }
      try PlainFile.write(self, to: url, options)
    }

    /// Reads a file: of a protected one its contents, of another what Foundation reads.
    ///
    /// - Throws: Of a protected file `AtRestError`: `locked`, `notPermitted` where other keys protect
    ///   it, `damaged`, `system`, and what opening the store throws.
    public init(contentsOf url: __shared URL, options: Data.ReadingOptions = []) throws {
      let url = copy url
      self = try ProtectedPlace(url).protectedContents() ?? PlainFile.read(url, options)
    }
  }
#endif
