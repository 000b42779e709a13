import Foundation

/// Detects the first launch after an installation.
///
/// When an application is deleted, its files are deleted too, but its keychain items remain. If the
/// marker file is missing, this is therefore the first launch.
public struct FirstLaunch: Sendable {
  private let marker: URL

  /// Creates a detector.
  ///
  /// - Parameter folder: A folder of the application, such as Application Support.
  public init(folder: URL) {
    marker = folder.appendingPathComponent("installed")
  }

  /// Deletes the items of an earlier installation at the first launch of this one.
  public func wipeOnce(_ logins: LoginStore, _ key: SessionKey) throws {
    guard !FileManager.default.fileExists(atPath: marker.path) else { return }
    try logins.wipe()
    try key.remove()
    // The marker is written last. If deleting fails, the next launch tries again.
    try Data().write(to: marker)
  }
}
