import AtRestCrypto
import Foundation

/// The use of a device folder by this process, as long as the object exists. A device key is moved
/// only while nobody uses its folder.
///
/// The folder itself is locked (flock), so a folder that is read-only can be used. On a file system
/// without such locks, a use is not seen.
final class DeviceUse: Sendable {
  private let folder: OpenFolder

  private init(_ folder: OpenFolder) { self.folder = folder }

  // A child process that is being started has the descriptor too, so closing it is not enough.
  deinit { flock(folder.descriptor, LOCK_UN) }

  /// Begins to use a folder. Returns nil if there is no such folder.
  ///
  /// - Throws: ``AtRestError/Code/busy`` if the device key is being moved.
  static func begin(in url: URL) throws -> DeviceUse? {
    try begin(in: url, LOCK_SH) {
      AtRestError(
        .busy, "The device key in \(url.path) is being moved.",
        remedy: "Try again when that is done.")
    }
  }

  /// Begins to use a folder alone. Waits for a second, because a keybag that this process has closed
  /// lives on while a thread of its own ends.
  ///
  /// - Throws: ``AtRestError/Code/busy`` if anyone else uses it.
  static func beginAlone(in url: URL) throws -> DeviceUse? {
    try begin(in: url, LOCK_EX, waiting: .seconds(1)) {
      AtRestError(
        .busy, "Another program uses the device key in \(url.path).",
        remedy: "End the programs that have a store of this device open, and try again.")
    }
  }

  private static func begin(
    in url: URL, _ kind: Int32, waiting: Duration = .zero, busy: () -> AtRestError
  ) throws -> DeviceUse? {
    guard let folder = try OpenFolder.ifPresent(url.path, followingLinks: true) else { return nil }
    let end = ContinuousClock.now + waiting
    while flock(folder.descriptor, kind | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      guard errno == EWOULDBLOCK else { break }
      guard ContinuousClock.now < end else { throw busy() }
      usleep(1000)
    }
    return DeviceUse(folder)
  }
}
