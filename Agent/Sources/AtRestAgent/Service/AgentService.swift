import AtRestCrypto
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain
import Foundation
import Synchronization

/// Answers requests about one store. It has the store's only lock state that matters to clients.
///
/// Safe to use from several threads.
package final class AgentService: Sendable {
  /// The settings of an agent.
  package struct Options: Sendable {
    /// The seconds without use after which the store is locked. 0 means never.
    package var idleSeconds: Int
    /// The way in which the user is asked about requests without a grant.
    package var prompt: Prompt
    /// The seconds after which a request is refused if the user has not answered a question. A client
    /// waits for three questions.
    package var secondsToAnswer: Int
    /// The path of the socket for the ssh-agent protocol, if there is one.
    package var sshSocket: String?
    /// The session's bus that the agent joins, as the option `--bus` has it, or nil without the option.
    package var bus: String?
    /// True to take the agent's name on that bus from another keyring.
    package var replacesKeyring: Bool
    /// Creates settings.
    package init(
      idleSeconds: Int = 0, prompt: Prompt = .never, secondsToAnswer: Int = 45,
      sshSocket: String? = nil, bus: String? = nil, replacesKeyring: Bool = false
    ) {
      self.idleSeconds = idleSeconds
      self.prompt = prompt
      self.secondsToAnswer = secondsToAnswer
      self.sshSocket = sshSocket
      self.bus = bus
      self.replacesKeyring = replacesKeyring
    }
  }

  private let location: StoreLocation
  let keybag: Keybag
  let own: Keychain
  /// The keys that `ssh-add` gave, which are erased when the store is locked.
  let memoryKeys = SSHMemoryKeys()
  let questioner: Questioner
  let knownGrants = KnownGrants()
  let terminals = OwnersTerminals()
  /// The public halves of the keys for SSH, as they were when the store was last unlocked.
  let knownSSHKeys = SSHKnownKeys()
  let log: AuditLog
  let options: Options
  private let user: UInt32
  /// The time of the last change of the lock state, or of the start.
  let changed = Mutex(Date())
  let lastUse = Mutex(ContinuousClock.now)
  let lockCount = LockCount()
  /// True from an unlock to the next lock, as far as the agent knows.
  let wasSeenUnlocked = Atomic(false)
  let hasEnded = Atomic(false)
  /// The number of the last event of the keybag on which the agent has acted. Held while it acts.
  let following = Mutex<UInt64>(0)
  /// The entries of events by other processes that the log does not have yet.
  let pendingEntries = Mutex<[AgentLogEntry]>([])
  /// Held while these entries are written.
  let writingPending = Mutex(())

  private let keychains = Mutex<[ApplicationIdentity: Keychain]>([:])
  private static let mostKeychains = 64

  /// Opens a store.
  ///
  /// - Throws: The errors of opening a store and its keychain.
  package init(_ location: StoreLocation, log: AuditLog, options: Options = Options()) throws {
    self.location = location
    self.log = log
    self.options = options
    questioner = Questioner(options.prompt, patience: .seconds(options.secondsToAnswer))
    user = geteuid()
    keybag = try location.openKeybag()
    own = try Keychain.open(keybag, identity: .agent, usesAgent: false)
    keybag.onEvent { [weak self] in self?.followKeybag() }
    wasSeenUnlocked.store(isUnlocked, ordering: .sequentiallyConsistent)
    if isUnlocked { readAfterUnlock() }
  }

  /// The identity of the store.
  package var identity: StoreIdentity { keybag.identity }

  /// Answers a request.
  package func answer(_ request: AgentRequest, to peer: Peer) -> AgentResponse {
    let (before, wasUnlocked) = (locks, isUnlocked)
    var response: AgentResponse
    do {
      try checkUser(of: peer)
      try request.kind.check(Origin(peer))
      response = try carryOut(request, for: peer)
      if request.isReading { try checkNoLock(since: before) }
    } catch {
      response = .refused(Self.forClient(error))
    }
    return recorded(request, response, peer, wasUnlocked: wasUnlocked)
  }

  /// Throws ``AtRestError/Code/notPermitted`` for a process of another user.
  func checkUser(of peer: Peer) throws {
    guard peer.user == user else {
      throw AtRestError(
        .notPermitted, "This agent serves the user \(user) only.",
        remedy: "Start an agent of your own.")
    }
  }

  /// Records that the store was used.
  func touch() { lastUse.withLock { $0 = .now } }

  // MARK: Lock state

  /// True while the class keys that require an unlocked store are in memory.
  package var isUnlocked: Bool { keybag.lockState == .unlocked }

  // MARK: Requests

  private func carryOut(_ request: AgentRequest, for peer: Peer) throws -> AgentResponse {
    switch request {
    // The keychain looks itself before it carries out an operation.
    case .status, .lock, .log, .perform: break
    // With or without a grant, nothing is found in a store that is gone.
    default: try keybag.checkStore()
    }
    switch request {
    case .status: return try .document(Self.encode(status(peer)))
    case .unlock(let passcode): try unlock(passcode, for: peer)
    case .lock: try eraseKeys()
    case .perform(let operation, let groups, let context):
      do {
        return try perform(operation, claim: groups, context, for: peer) {
          try recordBefore(request, peer)
        }
      } catch {
        throw refusal(unlessGone: error)
      }
    case .fileKey(let request): return try perform(request, for: peer)
    case .grants: return try .document(Self.encode(grants()))
    case .addGrants(let grants, let passcode):
      let added = try add(grants, passcode: passcode) { try recordBefore(request, peer) }
      return try .document(Self.encode(added))
    case .removeGrant(let id, let passcode):
      try removeGrant(id, passcode: passcode) { try recordBefore(request, peer) }
    case .log(let count): return try .document(Self.encode(log.last(Int(count))))
    }
    return .done
  }

  private static func encode(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    return try encoder.encode(value)
  }

  private func status(_ peer: Peer) -> AgentStatus {
    // This also learns of events that this process has not seen yet, so it is asked first.
    let isWiped = keybag.isWiped
    // A program in a sandbox needs the lock state, and not where the store is.
    let isOwn = Origin(peer) == .ownProgram
    return AgentStatus(
      store: keybag.identity.text, folder: isOwn ? location.store.path : "",
      isUnlocked: isUnlocked, isWiped: isWiped, since: changed.withLock { $0 },
      hasPasscode: keybag.hasPasscode, idleSeconds: isOwn ? options.idleSeconds : 0,
      ask: isOwn ? options.prompt.argument : Prompt.never.argument,
      sshSocket: isOwn ? options.sshSocket : nil, bus: isOwn ? options.bus : nil,
      replacesKeyring: isOwn && options.replacesKeyring, process: getpid(),
      evidence: evidence(of: peer))
  }

  /// Carries out an operation with the access groups that are granted.
  private func perform(
    _ operation: KeychainOperation, claim: [String], _ context: AgentContext, for peer: Peer,
    before: () throws -> Void
  ) throws -> AgentResponse {
    // A question about both would not say that the answer is about files.
    guard !(claim + operation.namedGroups).containsBytes(of: AgentGrant.filesGroup) else {
      throw AtRestError(
        .notPermitted,
        "The access group \(AgentGrant.filesGroup) stands for protected files, and has no items.",
        remedy: "Use another access group.")
    }
    let identity = try identity(
      for: peer, claim: claim, named: operation.namedGroups, writing: operation.isWriting,
      item: operation.key, purpose: operation.keyPurpose)
    touch()
    try before()
    // What is not in the groups of the program may be in others, unless it asks for certain ones.
    let isPartial = claim.isEmpty && operation.namedGroups.isEmpty && !identity.isOwner
    let response: AgentResponse
    do {
      response = try keychain(for: identity).perform(
        operation, context: self.context(of: operation, context, identity, for: peer))
    } catch AtRestError.Code.notFound where isPartial {
      throw Self.notFound(for: identity)
    }
    guard isPartial else { return response }
    if response.hasNoItems(for: operation) { throw Self.notFound(for: identity) }
    return response.withholding(Self.others(than: identity), from: operation)
  }

  /// The reason why a list may not have all items.
  private static func others(than identity: ApplicationIdentity) -> AtRestError {
    AtRestError(
      .notPermitted,
      "There may be more items in other access groups than "
        + "\(identity.accessGroups.joined(separator: ", ")), in which this program may not look.",
      remedy: "Name one of these groups, or grant others with atrest grant add.")
  }

  private static func notFound(for identity: ApplicationIdentity) -> AtRestError {
    AtRestError(
      .notPermitted,
      "The access groups that this program may use (\(identity.accessGroups.joined(separator: ", "))) "
        + "have no such item, and it may not look in others.",
      remedy: "Check the name of the item, or grant its group with atrest grant add.")
  }

  /// Wraps or unwraps the key of a file, if the group of files is granted.
  private func perform(_ request: FileKeyRequest, for peer: Peer) throws -> AgentResponse {
    // The name of the file is not part of the question, because the program may claim any name.
    _ = try identity(
      for: peer, claim: [AgentGrant.filesGroup], writing: request.isWriting,
      purpose: "to \(request.isWriting ? "write" : "read") protected files of the store")
    touch()
    return try request.perform(on: keybag)
  }

  func keychain(for identity: ApplicationIdentity) throws -> Keychain {
    try keychains.withLock { keychains in
      if let known = keychains[identity] { return known }
      if keychains.count >= Self.mostKeychains { keychains.removeAll() }
      let opened = try Keychain.open(
        keybag, identity: identity, authenticator: AskedUser(questioner: questioner),
        usesAgent: false)
      keychains[identity] = opened
      return opened
    }
  }
}

extension AgentResponse {
  /// Returns true if an operation that concerns all items that match found none.
  fileprivate func hasNoItems(for operation: KeychainOperation) -> Bool {
    switch (operation, self) {
    case (.items, .items(let items)): items.isEmpty && items.withheld.isEmpty
    // The number of items.
    case (.update, .data(let count)), (.delete, .data(let count)), (.deleteAll, .data(let count)):
      count.allSatisfy { $0 == 0 }
    default: false
    }
  }

  /// Returns a list with the reason why it may be incomplete. One that has as many items as were asked for is not.
  fileprivate func withholding(
    _ reason: AtRestError, from operation: KeychainOperation
  ) -> AgentResponse {
    guard case .items(.query(let query), _) = operation, case .items(let items) = self,
      items.count < query.limit ?? .max
    else { return self }
    return .items(items.withholding(reason))
  }
}
