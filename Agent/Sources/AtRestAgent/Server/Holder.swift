import AtRestKeychain
import CAtRestPeer
import Foundation

/// The one for whom a connection, memory or a thread is held: shares are counted by it.
///
/// It is what can be known about a process without reading its program, so it costs microseconds. It
/// decides nothing but shares.
struct Holder: Hashable, Sendable {
  /// A program as the file that it is, or the process if the file cannot be seen.
  enum Program: Hashable, Sendable {
    case file(device: UInt64, number: UInt64)
    case process(Int32)
  }

  let user: UInt32
  let process: Int32
  let program: Program

  init(user: UInt32, process: Int32, program: Program? = nil) {
    self.user = user
    self.process = process
    self.program = program ?? .process(process)
  }

  /// Returns the holder at the other end of a connected Unix socket, or nil if it has none.
  init?(socket: Int32) {
    var peer = atrest_peer()
    guard atrest_get_peer(socket, &peer) == 0 else { return nil }
    if peer.descriptor >= 0 { close(peer.descriptor) }
    var status = stat()
    // A process that keeps others from reading it counts by its number.
    let program: Program? =
      peer.process > 0 && stat("/proc/\(peer.process)/exe", &status) == 0
      ? .file(device: UInt64(status.st_dev), number: UInt64(status.st_ino)) : nil
    self.init(user: peer.user, process: peer.process, program: program)
  }

  /// The facts that are known without a look at the process.
  var peer: Peer {
    Peer(user: user, process: process, evidence: [.init(.user, String(user))])
  }
}
