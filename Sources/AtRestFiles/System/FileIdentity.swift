import Foundation

/// The identity of a file on one machine, as long as the file exists.
package struct FileIdentity: Hashable, Sendable {
  let device: UInt64
  let inode: UInt64
}
