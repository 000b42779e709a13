import AtRestCrypto
import CAtRestSystem
import Foundation

/// A number in the file `lock` of a store's folder, which changes with each event of the store that
/// every process must know: a lock in all processes, and, before and after it, a wipe or a change of the
/// keybag. A thread can wait until it changes.
///
/// A second number follows: the last one on which the agent has acted.
final class LockNotice: Sendable {
  private let file: Int32
  // Only the kernel reads and writes through this address.
  private nonisolated(unsafe) let number: UnsafeMutablePointer<UInt32>
  private static let size = MemoryLayout<UInt32>.size
  private static let minute: Int32 = 60_000

  /// Opens the file.
  ///
  /// - Throws: ``AtRestError/Code/storeMissing`` if there is no folder;
  ///   ``AtRestError/Code/system`` if the file cannot be opened; the errors of ``PrivateFile``.
  init(in storage: FolderStorage) throws {
    let path = storage.path("lock")
    let file = try Self.open(in: storage)
    Self.restore(file)
    var address = mmap(nil, 2 * Self.size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
    // In a store that this process may only read, and on some file systems.
    if address == MAP_FAILED { address = mmap(nil, 2 * Self.size, PROT_READ, MAP_SHARED, file, 0) }
    guard let address, address != MAP_FAILED else {
      let error = SystemCall.error("map", path)
      close(file)
      throw error
    }
    self.file = file
    number = address.assumingMemoryBound(to: UInt32.self)
  }

  private static func open(in storage: FolderStorage) throws -> Int32 {
    let folder = try storage.present()
    var opened: Int32?
    do {
      opened = try PrivateFile.open("lock", in: folder, flags: O_RDWR | O_CREAT)?.descriptor
    } catch {
      // In a store that this process may only read, it can still notice a lock.
      guard let file = try? PrivateFile.open("lock", in: folder, flags: O_RDONLY) else {
        throw error
      }
      opened = file.descriptor
    }
    guard let opened else { throw SystemCall.error("open", storage.path("lock")) }
    return opened
  }

  /// Gives a file that is too short its size. Returns false if this cannot be done.
  @discardableResult
  private static func restore(_ file: Int32) -> Bool {
    var status = stat()
    guard fstat(file, &status) == 0 else { return false }
    return status.st_size >= 2 * size || ftruncate(file, off_t(2 * size)) == 0
  }

  /// Gives the file its size back if it was truncated. Returns false if it has no number all the same.
  func restore() -> Bool { Self.restore(file) && count != nil }

  deinit {
    munmap(number, 2 * Self.size)
    close(file)
  }

  /// The number, or nil if the file does not have one.
  var count: UInt32? {
    var value: UInt32 = 0
    return pread(file, &value, Self.size, 0) == Self.size ? value : nil
  }

  /// Returns false if the file was removed or replaced, so that nothing is announced in it any more.
  func isInPlace(in storage: FolderStorage) -> Bool {
    var own = stat()
    guard fstat(file, &own) == 0, let folder = (try? storage.opened()).flatMap({ $0 }),
      let present = folder.status(of: "lock")
    else { return false }
    return own.st_dev == present.st_dev && own.st_ino == present.st_ino
  }

  /// Adds 1 to the number, and wakes all threads that wait for it. On Linux, this is one step: no number stands for
  /// two events.
  ///
  /// - Returns: The numbers before and after. They differ by 1 if no other event came meanwhile.
  /// - Throws: ``AtRestError/Code/system``.
  @discardableResult
  func announce() throws -> (before: UInt32?, after: UInt32) {
    let before = count
    if before != nil, atrest_add_and_wake(number) == 0, let after = count { return (before, after) }
    // The file has no number, or the system offers no such step.
    var next = (before ?? 0) &+ 1
    guard pwrite(file, &next, Self.size, 0) == Self.size else {
      throw AtRestError(
        .system,
        "Could not lock the store in other processes: \(String(cString: strerror(errno))).",
        remedy: "Check the free space of the disk, and end those processes.")
    }
    wake()
    return (before, next)
  }

  func wake() { atrest_wake(number) }

  /// Waits until the number may have changed, or until ``wake()`` is called.
  ///
  /// - Returns: False if the system offers no way to wait.
  func wait(after known: UInt32) -> Bool { atrest_wait(number, known, Self.minute) == 0 }

  // MARK: The agent's answer

  /// The last number on which the agent has acted, or nil if the file does not have it.
  var confirmed: UInt32? {
    var value: UInt32 = 0
    return pread(file, &value, Self.size, off_t(Self.size)) == Self.size ? value : nil
  }

  /// Notes that the agent has acted on a number, and wakes those that wait for it.
  func confirm(_ count: UInt32) {
    var count = count
    guard pwrite(file, &count, Self.size, off_t(Self.size)) == Self.size else { return }
    atrest_wake(number + 1)
  }

  /// Returns true if a number that the agent has confirmed is a number or one of those after it. The numbers begin
  /// again after the largest, so only some thousands are after a number.
  static func isConfirmed(_ count: UInt32, by confirmed: UInt32) -> Bool {
    confirmed &- count < 0x1_0000
  }

  /// Waits until the agent has acted on a number.
  ///
  /// - Returns: False if it has not in time, or if the system offers no way to wait.
  func waitUntilConfirmed(_ count: UInt32, atMost patience: Duration) -> Bool {
    let end = ContinuousClock.now + patience
    while let known = confirmed {
      if Self.isConfirmed(count, by: known) { return true }
      let rest = end - .now
      guard rest > .zero, atrest_wait(number + 1, known, Int32(rest / .milliseconds(1)) + 1) == 0
      else { return false }
    }
    return false
  }
}
