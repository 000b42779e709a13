import AtRestCrypto
import Foundation

/// Whole files in memory, as `Data` reads and writes them.
extension ProtectedFiles {
  /// Writes data to a file, whole and durable.
  ///
  /// ```swift
  /// try files.write(token, to: url, options: [.withoutOverwriting, .completeFileProtection])
  /// ```
  ///
  /// - Parameters:
  ///   - options: As `Data.write(to:options:)` has them. `.atomic` is what always happens;
  ///     `.withoutOverwriting` refuses a file that exists; the options of file protection choose the
  ///     class.
  ///   - protection: The class, in place of an option.
  /// - Throws: ``AtRestError/Code/duplicate`` where the file exists and is not to be overwritten;
  ///   ``AtRestError/Code/locked`` where the class takes no new files now;
  ///   ``AtRestError/Code/invalidArgument`` for two classes at once, a folder or a special file;
  ///   ``AtRestError/Code/system``. A file that was there stands then as it was.
  public func write(
    _ data: some ContiguousBytes, to url: URL, options: Data.WritingOptions = [],
    protection: FileProtection? = nil
  ) throws {
    let destination = ByteDestination.file(url, replacing: !options.contains(.withoutOverwriting))
    try write(data, to: destination, protection: Self.protection(options, protection))
  }

  func write(
    _ data: some ContiguousBytes, to destination: ByteDestination, protection: FileProtection?
  ) throws {
    try data.withUnsafeBytes { bytes in
      // Only read: a transfer has one kind of memory for both ends.
      let region = Transfer.Region(bytes: UnsafeMutableRawBufferPointer(mutating: bytes))
      _ = try write(to: destination) { output in
        try protect(.memory(region), to: output, protection, name: "the data", ProgressMeter(nil))
      }
    }
  }

  /// The class that options name, or else the other.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` for two classes.
  package static func protection(
    _ options: Data.WritingOptions, _ protection: FileProtection? = nil
  ) throws -> FileProtection? {
    // atrest:ignore-begin linux-no-op-protection, no-file-protection AtRest does what they say
    let classes: [(Data.WritingOptions, FileProtection)] = [
      (.noFileProtection, .none), (.completeFileProtection, .complete),
      (.completeFileProtectionUnlessOpen, .completeUnlessOpen),
      (.completeFileProtectionUntilFirstUserAuthentication, .completeUntilFirstAuthentication),
    ]
    // atrest:ignore-end linux-no-op-protection, no-file-protection
    // Not a set of bits: each class is a number in the option's upper four.
    let mask: UInt = 0xF000_0000
    let number = options.rawValue & mask
    guard number != 0 else { return protection }
    guard let match = classes.first(where: { $0.0.rawValue & mask == number }),
      protection == nil || protection == match.1
    else {
      throw AtRestError.invalid(
        "The options name two protection classes, or one that is not known.",
        remedy: "Give one option of file protection, or the parameter.")
    }
    return match.1
  }

  /// Reads a file whole.
  ///
  /// ```swift
  /// let diary = try files.read(url, requiring: .complete)
  /// ```
  ///
  /// - Parameter required: The only class that is accepted: see `open(_:for:requiring:)`.
  /// - Throws: As `open(_:for:requiring:)`; ``AtRestError/Code/damaged`` gives no byte out.
  public func read(_ url: URL, requiring required: FileProtection? = nil) throws -> Data {
    try read(FolderEntry(following: url.path), requiring: required)
  }

  /// Reads a file in a folder that is held open.
  ///
  /// - Throws: As `read(_:requiring:)`.
  package func read(
    _ entry: FolderEntry, requiring required: FileProtection? = nil
  ) throws -> Data {
    let stored = try StoredFile.open(entry, keys: fileKeys(requiring: required))
    return try stored.locked {
      let stored = try stored.changed() ?? stored
      guard stored.size > 0 else { return Data() }
      // Not by Data, which traps: what a file claims may be more than there is.
      guard let count = Int(exactly: stored.size), let memory = calloc(count, 1) else {
        throw AtRestError.invalid(
          "\(entry.path) is too large for memory.", remedy: "Read it in parts: open(_:for:).")
      }
      let bytes = UnsafeMutableRawBufferPointer(start: memory, count: count)
      do {
        _ = try unprotect(stored, to: .memory(Transfer.Region(bytes: bytes)), ProgressMeter(nil))
      } catch {
        free(memory)
        throw error
      }
      return Data(bytesNoCopy: memory, count: count, deallocator: .free)
    }
  }
}
