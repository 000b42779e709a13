import Foundation

/// Tells the first launch after an installation: files go with an application, its items in the
/// keychain stay.
public struct FirstLaunch: Sendable {
  private let marker: URL

  /// - Parameter folder: One of the application's own, such as Application Support.
  public init(folder: URL) {
    marker = folder.appendingPathComponent("installed")
  }

  /// Wipes what an earlier installation left, at the first launch of this one.
  public func wipeOnce(_ logins: LoginStore, _ key: SessionKey) throws {
    guard !FileManager.default.fileExists(atPath: marker.path) else { return }
    try logins.wipe()
    try key.remove()
    // Last: where wiping failed, the next launch tries again.
    try Data().write(to: marker)
  }
}
