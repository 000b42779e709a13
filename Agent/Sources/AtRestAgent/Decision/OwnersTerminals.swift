@_spi(Tools) import AtRestKeychain
import Foundation
import Synchronization

/// The terminals on which the owner typed the passcode for `atrest unlock`. Until the store is locked,
/// `atrest` in the foreground of the same session needs no grant there.
///
/// It is worth what a password typed for `sudo` is worth: a program that the owner starts on this
/// terminal, and that runs `atrest` there, gets what the owner gets. Programs elsewhere do not: those of
/// other sessions, of services and in a sandbox.
final class OwnersTerminals: Sendable {
  /// The path of the program `atrest` beside the agent's own.
  static let command: String? = ProcessFolder(getpid()).program.map {
    ($0.path as NSString).deletingLastPathComponent + "/atrest"
  }
  private static let most = 64

  private let sessions = Mutex<Set<TerminalSession>>([])

  init() {
    // An update of the agent's program would hide where it is.
    _ = Self.command
  }

  /// Remembers the terminal on which a process has given the right passcode.
  func remember(_ peer: Peer) {
    guard let terminal = peer.terminal else { return }
    sessions.withLock {
      if $0.count >= Self.most { $0.removeAll() }
      $0.insert(terminal)
    }
  }

  /// Forgets all of them.
  func forget() { sessions.withLock { $0.removeAll() } }

  /// Returns the evidence of a process on one of the terminals, or nil.
  func evidence(of peer: Peer) -> AgentEvidence? {
    guard let terminal = peer.terminal, sessions.withLock({ $0.contains(terminal) }) else {
      return nil
    }
    return AgentEvidence(.terminal, terminal.description)
  }
}
