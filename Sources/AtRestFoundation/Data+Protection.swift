#if !canImport(Darwin)
  import AtRestFiles

  extension Data {
    /// Writes data to a file, in the protection class that an option selects.
    ///
    /// ```swift
    /// try data.write(to: url, options: [.atomic, .completeFileProtection])
    /// ```
    ///
    /// Without such an option, the method behaves like Foundation's. If the file exists and is
    /// protected, however, it stays in its class, as on iOS. A protected file is always written
    /// atomically and durably, and a new one has mode 0600.
    ///
    /// - Throws: Foundation's errors if no class is involved, and otherwise an `AtRestError`:
    ///   `locked` if the class does not accept new files now, `duplicate` if the file exists and
    ///   must not be overwritten, `notPermitted` if other keys protect it, `invalidArgument`,
    ///   `system`, and the errors of opening the store (`DefaultKeychain.get()`). If an
    ///   `AtRestError` is thrown, an existing file is unchanged.
    public func write(to url: URL, options: Data.WritingOptions = []) throws {
      guard try !ProtectedPlace(url).write(self, options) else { return }
      try PlainFile.write(self, to: url, options)
    }

    /// Reads a file. A protected file is decrypted, and any other file is read as Foundation does.
    ///
    /// - Throws: For a protected file, an `AtRestError`: `locked`, `notPermitted` if other keys protect
    ///   it, `damaged`, `system`, and the errors of opening the store. For any other file, Foundation's
    ///   errors.
    public init(contentsOf url: __shared URL, options: Data.ReadingOptions = []) throws {
      let url = copy url
      self = try ProtectedPlace(url).protectedContents() ?? PlainFile.read(url, options)
    }
  }
#endif
