@_spi(Tools) import AtRestKeychain

/// From where a request comes, as far as the agent can tell.
enum Origin: CaseIterable, Sendable {
  /// A program of the user without a sandbox.
  case ownProgram
  /// A program in a sandbox: one with a label of the security module, a Flatpak, one with a root of its
  /// own, or one that cannot be examined.
  case sandbox
  /// A service of the system's manager that runs as the user.
  case systemUnit
  /// A program of another host, over a forwarded connection for SSH. A connection whose host could not
  /// prove its key counts as one too.
  case forwarded

  /// Returns the origin of a request of a process.
  init(_ peer: Peer, isForwarded: Bool = false) {
    self =
      if isForwarded {
        .forwarded
      } else if peer.isSandboxed || peer.hasFact(of: .label) || peer.hasFact(of: .flatpak) {
        .sandbox
      } else if peer.hasFact(of: .unit) {
        .systemUnit
      } else {
        .ownProgram
      }
  }

  /// The origin in words.
  var words: String {
    switch self {
    case .ownProgram: "a program without a sandbox"
    case .sandbox: "a program in a sandbox"
    case .systemUnit: "a service of the system"
    case .forwarded: "another host"
    }
  }
}
