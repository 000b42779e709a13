@_spi(Tools) import AtRestKeychain

/// The one for whom a connection, memory or a thread is held: shares are counted by it.
///
/// It is what can be known about a process without reading its program, so it costs microseconds. It
/// decides nothing but shares.
struct Holder: Sendable {
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

  /// The facts that are known without a look at the process.
  var peer: Peer {
    Peer(user: user, process: process, evidence: [.init(.user, String(user))])
  }
}
