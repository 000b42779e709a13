import AtRestCrypto
import CAtRestPeer
import Foundation

/// A pipe whose ends are closed with this object, and which no other program inherits.
final class DescriptorPair {
  private(set) var read: Int32
  private(set) var write: Int32

  /// - Throws: ``AtRestError/Code/system`` if there are too many descriptors.
  init() throws {
    var ends: [Int32] = [-1, -1]
    guard atrest_make_pipe(&ends) == 0 else {
      throw AtRestError(
        .system, "Could not make a pipe: \(String(cString: strerror(errno))).",
        remedy: "End connections to the agent, and try again.")
    }
    (read, write) = (ends[0], ends[1])
  }

  deinit {
    closeRead()
    closeWrite()
  }

  func closeRead() {
    if read >= 0 { close(read) }
    read = -1
  }

  func closeWrite() {
    if write >= 0 { close(write) }
    write = -1
  }
}
