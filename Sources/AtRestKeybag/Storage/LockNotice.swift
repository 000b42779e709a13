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
  // Only the kernel reads through this address.
  private nonisolated(unsafe) let number: UnsafePointer<UInt32>
  private static let size = MemoryLayout<UInt32>.size
  private static let minute: Int32 = 60_000

  /// Opens the file.
  ///
  /// - Throws: ``AtRestError/Code/storeMissing`` if there is no folder;
  ///   ``AtRestError/Code/system`` if the file cannot be opened; the errors of ``PrivateFile``.
  init(in storage: FolderStorage) throws {
    let path = storage.path("lock")
    let file = try Self.open(in: storage)
    var status = stat()
    if fstat(file, &status) == 0, status.st_size < 2 * Self.size {
      ftruncate(file, off_t(2 * Self.size))
    }
    let address = mmap(nil, 2 * Self.size, PROT_READ, MAP_SHARED, file, 0)
    guard let address, address != MAP_FAILED else {
      let error = SystemCall.error("map", path)
      close(file)
      throw error
    }
    self.file = file
    number = UnsafePointer(address.assumingMemoryBound(to: UInt32.self))
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

  deinit {
    munmap(UnsafeMutableRawPointer(mutating: number), 2 * Self.size)
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

  /// Changes the number, and wakes all threads that wait for it.
  ///
  /// - Returns: The new number.
  /// - Throws: ``AtRestError/Code/system``.
  @discardableResult
  func announce() throws -> UInt32 {
    var next = (count ?? 0) &+ 1
    guard pwrite(file, &next, Self.size, 0) == Self.size else {
      throw AtRestError(
        .system,
        "Could not lock the store in other processes: \(String(cString: strerror(errno))).",
        remedy: "Check the free space of the disk, and end those processes.")
    }
    wake()
    return next
  }

  func wake() { atrest_wake(number) }

  /// Waits until the number may have changed, or until ``wake()`` is called.
  ///
  /// - Returns: False if the system offers no way to wait.
  func wait(after known: UInt32) -> Bool { atrest_wait(number, known, Self.minute) == 0 }

  // MARK: The agent's answer

  /// The last number on which the agent has acted, or nil if the file does not have it.
  private var confirmed: UInt32? {
    var value: UInt32 = 0
    return pread(file, &value, Self.size, off_t(Self.size)) == Self.size ? value : nil
  }

  /// Notes that the agent has acted on a number, and wakes those that wait for it.
  func confirm(_ count: UInt32) {
    var count = count
    guard pwrite(file, &count, Self.size, off_t(Self.size)) == Self.size else { return }
    atrest_wake(number + 1)
  }

  /// Waits until the agent has acted on a number.
  ///
  /// - Returns: False if it has not in time, or if the system offers no way to wait.
  func waitUntilConfirmed(_ count: UInt32, atMost patience: Duration) -> Bool {
    let end = ContinuousClock.now + patience
    while let known = confirmed {
      // The numbers begin again after the largest.
      if Int32(bitPattern: known &- count) >= 0 { return true }
      let rest = end - .now
      guard rest > .zero, atrest_wait(number + 1, known, Int32(rest / .milliseconds(1)) + 1) == 0
      else { return false }
    }
    return false
  }
}
