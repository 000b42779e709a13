#if !canImport(Darwin)
  extension NSData {
    /// Writes to a file, in the protection class that an option names.
    ///
    /// - Throws: As `Data.write(to:options:)`.
    public func write(
      to url: URL, options writeOptionsMask: NSData.WritingOptions = []
    ) throws {
      try (self as Data).write(to: url, options: writeOptionsMask)
    }

    /// Writes to a file, in the protection class that an option names.
    ///
    /// - Throws: As `Data.write(to:options:)`.
    public func write(
      toFile path: String, options writeOptionsMask: NSData.WritingOptions = []
    ) throws {
      try write(to: URL(fileURLWithPath: path), options: writeOptionsMask)
    }
  }
#endif
