import Foundation
import Glibc
import Synchronization

/// A network of its own, joined to this one by a pair of interfaces. Only root can make one.
final class NetworkNamespace: Sendable {
  /// True if this process can make one.
  static let isPossible = getuid() == 0 && (try? NetworkNamespace()) != nil

  /// The part of the network that is cut.
  enum Cut { case everything, answers }

  private static let next = Atomic(1)
  private let name: String
  private let here: String
  private let present = Mutex<Cut?>(nil)
  private let network: String

  /// The address on the other side.
  var address: String { "\(network).2" }
  /// The arguments that run a program on the other side.
  var prefix: [String] { ["ip", "netns", "exec", name] }

  init() throws {
    let number = Self.next.add(1, ordering: .relaxed).oldValue
    name = "atrest-\(getpid())-\(number)"
    here = "ar\(getpid() % 100_000)h\(number)"
    let there = "ar\(getpid() % 100_000)t\(number)"
    // A block for tests between networks (RFC 2544).
    network = "198.18.\(getpid() % 256)"
    try Self.ip("netns add \(name)")
    try Self.ip("link add \(here) type veth peer name \(there)")
    try Self.ip("link set \(there) netns \(name) name inside")
    try Self.ip("addr add \(network).1/30 dev \(here)")
    try Self.ip("link set \(here) up")
    try inside("addr add \(network).2/30 dev inside")
    try inside("link set inside up")
  }

  deinit {
    _ = try? ChildProcess.run(["ip", "link", "delete", here])
    _ = try? ChildProcess.run(["ip", "netns", "delete", name])
  }

  /// Loses packets from now on, as a network does: nobody is told.
  func cut(_ part: Cut) throws {
    switch part {
    case .everything: try inside("link set inside down")
    case .answers: try inside("route add blackhole \(network).1/32")
    }
    present.withLock { $0 = part }
  }

  /// Loses nothing any more.
  func mend() throws {
    switch present.withLock({ $0.take() }) {
    case .everything: try inside("link set inside up")
    case .answers: try inside("route delete blackhole \(network).1/32")
    case nil: break
    }
  }

  private func inside(_ command: String) throws { try Self.ip("-n \(name) \(command)") }

  private static func ip(_ command: String) throws {
    let (status, text) = try ChildProcess.run(
      ["ip"] + command.split(separator: " ").map(String.init))
    struct Failure: Error { let command: String, text: String }
    guard status == 0 else { throw Failure(command: command, text: text) }
  }
}
