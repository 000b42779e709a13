import Foundation

/// A folder of the containers of application groups that is deleted with its device. It is created when it is first used.
package final class TemporaryFolder: Sendable {
  package let url = FileManager.default.temporaryDirectory.appendingPathComponent(
    "atrest-groups-\(UUID().uuidString)", isDirectory: true)

  package init() {}

  deinit { remove() }

  func remove() { try? FileManager.default.removeItem(at: url) }
}
