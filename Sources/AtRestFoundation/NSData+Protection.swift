#if !canImport(Darwin)
  extension NSData {
    /// Writes data to a file, in the protection class that an option selects.
    ///
    /// - Throws: The errors of `Data.write(to:options:)`.
    public func write(
      to url: URL, options writeOptionsMask: NSData.WritingOptions = []
    ) throws {
      try (self as Data).write(to: url, options: writeOptionsMask)
    }

    /// Writes data to a file, in the protection class that an option selects.
    ///
    /// - Throws: The errors of `Data.write(to:options:)`.
    public func write(
      toFile path: String, options writeOptionsMask: NSData.WritingOptions = []
    ) throws {
      try write(to: ProtectedPlace(path).url, options: writeOptionsMask)
    }
  }
#endif
