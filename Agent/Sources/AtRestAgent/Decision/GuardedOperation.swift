import AtRestCrypto
@_spi(Tools) import AtRestKeychain

/// The operations of the agent, and the origins from which they may be asked for. Grants and the passcode are
/// required in addition.
enum GuardedOperation: String, CaseIterable, Sendable {
  case status
  case lock
  case unlock = "unlock with the passcode"
  /// Items, keys and the keys of files, by a grant.
  case use = "use items"
  case giveToApplications = "give applications in sandboxes their secrets"
  case readGrants = "read the grants"
  case changeGrants = "change grants"
  case readLog = "read the log"
  case sshList = "list keys for SSH"
  case sshSign = "sign for SSH"
  case sshBind = "bind a connection for SSH"
  case sshChangeKeys = "add or remove keys for SSH"
  case sshLock = "lock over the socket for SSH"
  case sshUnlock = "unlock over the socket for SSH"

  /// The origins from which the operation may be asked for. This is the only place that decides it.
  var origins: Set<Origin> {
    switch self {
    case .status, .lock, .use: [.ownProgram, .sandbox, .systemUnit]
    // A program in a sandbox could use up the attempts, and so wipe the store.
    case .unlock: [.ownProgram, .systemUnit]
    // The portal says which application asks. In a sandbox, each would say what it likes.
    case .giveToApplications: [.ownProgram]
    // They name every program, service, account and host.
    case .readGrants, .changeGrants, .readLog: [.ownProgram]
    case .sshList, .sshSign, .sshBind: [.ownProgram, .sandbox, .systemUnit, .forwarded]
    case .sshChangeKeys, .sshLock: [.ownProgram, .sandbox, .systemUnit]
    case .sshUnlock: [.ownProgram]
    }
  }

  /// Throws ``AtRestError/Code/notPermitted`` if the operation may not be asked for from an origin.
  func check(_ origin: Origin) throws {
    guard !origins.contains(origin) else { return }
    throw AtRestError(
      .notPermitted, "This may not be asked of the agent from \(origin.words): \(rawValue).",
      remedy: "Do it with a program of yours that is in no sandbox, on this machine.")
  }
}

extension AgentRequest {
  /// The operation by which the origin of the request is judged.
  var kind: GuardedOperation {
    switch self {
    case .status: .status
    case .unlock: .unlock
    case .lock: .lock
    case .perform, .fileKey: .use
    case .grants: .readGrants
    case .addGrants, .removeGrant: .changeGrants
    case .log: .readLog
    }
  }

  /// True if the answer has something that a lock of the store is to protect.
  var isReading: Bool {
    switch self {
    case .perform(let operation, _, _): !operation.isWriting
    case .fileKey: true
    default: false
    }
  }

  /// True if the request changes the store or the grants.
  var isChanging: Bool {
    switch self {
    case .perform(let operation, _, _): operation.isWriting
    case .addGrants, .removeGrant: true
    default: false
    }
  }
}
