import AtRestCrypto
import AtRestKeybag
import CAtRestSystem
import Foundation
import Synchronization

/// Calls that process many files at once.
extension ProtectedFiles {
  /// A source of bytes and their destination.
  public struct FileTransfer: Sendable {
    public let source: ByteSource
    public let destination: ByteDestination

    /// Creates a pair of source and destination.
    public init(from source: ByteSource, to destination: ByteDestination) {
      self.source = source
      self.destination = destination
    }
  }

  /// The number of files that are open at once.
  private static let groupCount = 256
  /// With this many files or more, one flush of the file system is cheaper than one flush per file.
  private static let manyCount = 8

  /// Protects many files, each completely or not at all, and returns when all are durable.
  ///
  /// Small files are processed several at a time and flushed in groups, which is many times faster
  /// than one after the other.
  ///
  /// - Parameter progress: Counts the bytes read. If it is cancelled, unfinished files fail with
  ///   ``AtRestError/Code/canceled``.
  /// - Returns: For each file, in order, the number of bytes read and written, or its error, which
  ///   is one of `protect(_:to:protection:progress:)`. One failure does not stop the others.
  public func protect(
    _ transfers: [FileTransfer], protection: FileProtection? = nil, progress: Progress? = nil
  ) -> [Result<TransferCount, any Error>] {
    let meter = ProgressMeter(progress)
    let results = all(transfers) { try self.write($0, protection, meter) }
    let kept = Result { try keys.checkKept() }
    return results.map { result in
      Result {
        let count = try result.get()
        try kept.get()
        return count
      }
    }
  }

  /// Opens many protected files and writes their contents to destinations, each completely or not
  /// at all, and returns when all are durable.
  ///
  /// - Parameters:
  ///   - required: The only class that is accepted; see `open(_:for:requiring:)`.
  ///   - progress: See `protect(_:protection:progress:)`.
  /// - Returns: For each file, in order, the number of bytes read and written, or its error, which
  ///   is one of `unprotect(_:to:requiring:progress:)`. One failure does not stop the others.
  public func unprotect(
    _ transfers: [FileTransfer], requiring required: FileProtection? = nil,
    progress: Progress? = nil
  ) -> [Result<TransferCount, any Error>] {
    let meter = ProgressMeter(progress)
    let keys = fileKeys(requiring: required)
    return all(transfers) { try self.write($0, keys, meter) }
  }

  /// The number of bytes written, and the file, which has no name yet, or nil for a descriptor.
  private typealias Written = (file: NewFile?, count: TransferCount)

  private func write(
    _ transfer: FileTransfer, _ protection: FileProtection?, _ meter: ProgressMeter
  ) throws -> Written {
    try transfer.destination.begin { try protect(transfer.source, to: $0, protection, meter) }
  }

  private func write(
    _ transfer: FileTransfer, _ keys: any FileKeys, _ meter: ProgressMeter
  ) throws -> Written {
    try open(transfer.source, keys) { write in
      try transfer.destination.begin { try write($0, meter) }
    }
  }

  private func all(
    _ transfers: [FileTransfer], _ write: @escaping @Sendable (FileTransfer) throws -> Written
  ) -> [Result<TransferCount, any Error>] {
    var results: [Result<TransferCount, any Error>] = []
    results.reserveCapacity(transfers.count)
    for begin in stride(from: 0, to: transfers.count, by: Self.groupCount) {
      let group = transfers[begin..<min(begin + Self.groupCount, transfers.count)]
      results += Self.group(Array(group), write)
    }
    return results
  }

  private static func group(
    _ transfers: [FileTransfer], _ write: @escaping @Sendable (FileTransfer) throws -> Written
  ) -> [Result<TransferCount, any Error>] {
    // Each file is passed from the worker that wrote it to the thread that gives it its name.
    struct Slots: @unchecked Sendable {
      var files: [Result<Written, any Error>?]
      var next = 0
    }
    let slots = Mutex(Slots(files: Array(repeating: nil, count: transfers.count)))
    let workers = min(ProcessInfo.processInfo.activeProcessorCount, 4, transfers.count)
    DispatchQueue.concurrentPerform(iterations: workers) { _ in
      while true {
        let index = slots.withLock { slots in
          slots.next += 1
          return slots.next - 1
        }
        guard index < transfers.count else { return }
        let written = Result { try write(transfers[index]) }
        slots.withLock { $0.files[index] = written }
      }
    }
    let written = slots.withLock { $0.files.compactMap { $0 } }
    let flushed = Result { try flush(written.compactMap { (try? $0.get())?.file }) }
    var folders: [FileIdentity: Result<Void, any Error>] = [:]
    // All files get their names first. Then each folder is flushed once.
    let placed = written.map { written in
      Result<Written, any Error> {
        let (file, count) = try written.get()
        if let file {
          try flushed.get()
          try file.place()
        }
        return (file, count)
      }
    }
    return placed.map { placed in
      Result {
        let (file, count): Written = try placed.get()
        guard let file else { return count }
        let identity = FileStatus(try file.entry.folder.status()).identity
        let folder = folders[identity] ?? Result { try file.flushFolder() }
        folders[identity] = folder
        try folder.get()
        return count
      }
    }
  }

  private static func flush(_ files: [NewFile]) throws {
    var flushed: Set<UInt64> = []
    for file in files {
      guard files.count >= manyCount else {
        try file.file.flush()
        continue
      }
      let device = try file.file.status().device
      guard flushed.insert(device).inserted else { continue }
      // If the system cannot flush a whole file system, each file is flushed by itself.
      guard atrest_flush_file_system(file.file.descriptor) == 0 else {
        try files.forEach { try $0.file.flush() }
        return
      }
    }
  }
}
