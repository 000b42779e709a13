import AtRestCrypto
import Foundation

/// Reads and writes whole files in memory, with the calls of `Data`.
extension ProtectedFiles {
  /// Writes data to a file, completely and durably.
  ///
  /// ```swift
  /// try files.write(token, to: url, options: [.withoutOverwriting, .completeFileProtection])
  /// ```
  ///
  /// - Parameters:
  ///   - options: The options of `Data.write(to:options:)`. `.atomic` has no effect, since every
  ///     write is atomic. `.withoutOverwriting` refuses an existing file. The file-protection
  ///     options select the class.
  ///   - protection: The class, instead of an option. If neither is given, the file gets the
  ///     default class.
  /// - Throws: ``AtRestError/Code/duplicate`` if the file exists and must not be overwritten;
  ///   ``AtRestError/Code/locked`` if files of the class cannot be created now;
  ///   ``AtRestError/Code/invalidArgument`` for two classes at once, a folder or a special file;
  ///   ``AtRestError/Code/system``. If the call throws, an existing file is unchanged. Only if
  ///   its folder could not be flushed, the new file is in place, but may be lost in a power
  ///   failure.
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
      // The bytes are only read, although `Region` has mutable memory: it also serves as a
      // destination.
      let region = Transfer.Region(bytes: UnsafeMutableRawBufferPointer(mutating: bytes))
      _ = try write(to: destination) { output in
        try protect(.memory(region), to: output, protection, name: "the data", ProgressMeter(nil))
      }
    }
  }

  /// Returns the class that the options name, or else `protection`.
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
    // The classes are not single bits: each is a number in the upper four bits of the options.
    let mask: UInt = 0xF000_0000
    let number = options.rawValue & mask
    guard number != 0 else { return protection }
    guard let match = classes.first(where: { $0.0.rawValue & mask == number }),
      protection == nil || protection == match.1
    else {
      throw AtRestError.invalid(
        "The options name two protection classes, or an unknown one.",
        remedy: "Pass one option of file protection, or the parameter.")
    }
    return match.1
  }

  /// Reads a whole file.
  ///
  /// ```swift
  /// let diary = try files.read(url, requiring: .complete)
  /// ```
  ///
  /// - Parameter required: The only class that is accepted; see `open(_:for:requiring:)`.
  /// - Throws: The errors of `open(_:for:requiring:)`. With ``AtRestError/Code/damaged``, no byte
  ///   is returned.
  public func read(_ url: URL, requiring required: FileProtection? = nil) throws -> Data {
    try read(FolderEntry(following: url.path), requiring: required)
  }

  /// Reads a file in a folder that is held open.
  ///
  /// - Throws: The errors of `read(_:requiring:)`.
  package func read(
    _ entry: FolderEntry, requiring required: FileProtection? = nil
  ) throws -> Data {
    let stored = try StoredFile.open(entry, keys: fileKeys(requiring: required))
    return try stored.locked {
      let stored = try stored.changed() ?? stored
      guard stored.size > 0 else { return Data() }
      // The memory is not allocated by Data, which traps if it fails: a file may claim any size.
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
