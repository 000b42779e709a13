import AtRestCrypto
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain
import Foundation
import Synchronization

/// Answers requests about one store. It has the store's only lock state that matters to clients.
///
/// Safe to use from several threads.
public final class AgentService: Sendable {
  /// The settings of an agent.
  public struct Options: Sendable {
    /// The seconds without use after which the store is locked. 0 means never.
    public var idleSeconds: Int
    /// The way in which the user is asked about requests without a grant.
    public var prompt: Prompt
    /// The seconds after which a request is refused if the user has not answered a question. A client
    /// waits for three questions.
    public var secondsToAnswer: Int
    /// Creates settings.
    public init(idleSeconds: Int = 0, prompt: Prompt = .never, secondsToAnswer: Int = 45) {
      self.idleSeconds = idleSeconds
      self.prompt = prompt
      self.secondsToAnswer = secondsToAnswer
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
  private let log: AuditLog
  private let options: Options
  private let user: UInt32
  /// The time of the last change of the lock state, or of the start.
  private let changed = Mutex(Date())
  private let lastUse = Mutex(ContinuousClock.now)

  private let keychains = Mutex<[ApplicationIdentity: Keychain]>([:])
  private static let mostKeychains = 64

  /// Opens a store.
  ///
  /// - Throws: The errors of opening a store and its keychain.
  public init(_ location: StoreLocation, log: AuditLog, options: Options = Options()) throws {
    self.location = location
    self.log = log
    self.options = options
    questioner = Questioner(options.prompt, patience: .seconds(options.secondsToAnswer))
    user = geteuid()
    keybag = try location.openKeybag()
    own = try Keychain.open(keybag, identity: .agent, usesAgent: false)
    keybag.onEvent { [weak self] in self?.followKeybag() }
    if isUnlocked { readAfterUnlock() }
  }

  /// The identity of the store.
  public var identity: StoreIdentity { keybag.identity }

  /// Erases what depends on an unlocked store, after another process locked or wiped the store or changed
  /// its passcode.
  private func followKeybag() {
    guard !isUnlocked else { return }
    changed.withLock { $0 = Date() }
    memoryKeys.removeAll()
    terminals.forget()
    questioner.storeWasLocked()
  }

  /// Answers a request.
  public func answer(_ request: AgentRequest, to peer: Peer) -> AgentResponse {
    var response: AgentResponse
    do {
      try checkUser(of: peer)
      response = try carryOut(request, for: peer)
    } catch {
      response = .refused(Self.known(error))
    }
    do {
      try record(request, response, peer)
    } catch {
      // An access that cannot be recorded is refused. A lock happens all the same.
      response = .refused(Self.known(error))
    }
    return response
  }

  /// Throws ``AtRestError/Code/notPermitted`` for a process of another user.
  func checkUser(of peer: Peer) throws {
    guard peer.user == user else {
      throw AtRestError(
        .notPermitted, "This agent serves the user \(user) only.",
        remedy: "Start an agent of your own.")
    }
  }

  /// Runs an operation, and records it with its answer.
  func recording<Result>(
    _ operation: String, _ subject: String, _ peer: Peer, _ body: () throws -> Result
  ) throws -> Result {
    let result: Result
    do {
      result = try body()
    } catch {
      try? record(operation, subject, peer, answer: Self.known(error).code.rawValue)
      throw error
    }
    try record(operation, subject, peer, answer: "done")
    return result
  }

  /// Appends an entry to the log.
  func record(_ operation: String, _ subject: String, _ peer: Peer, answer: String) throws {
    try log.append(
      AgentLogEntry(
        time: Date(), operation: operation, subject: subject, evidence: evidence(of: peer),
        process: peer.process, answer: answer))
  }

  /// Records that the store was used.
  func touch() { lastUse.withLock { $0 = .now } }

  /// Returns the refusal of a message that is not a request, and records it.
  func refusal(_ error: any Error, to peer: Peer) -> AgentResponse {
    let error = Self.known(error)
    try? record("malformed", "", peer, answer: error.code.rawValue)
    return .refused(error)
  }

  private static func known(_ error: any Error) -> AtRestError {
    error as? AtRestError
      ?? AtRestError(.system, "The agent failed.", remedy: "See its messages.", cause: error)
  }

  // MARK: Lock state

  /// True while the class keys that require an unlocked store are in memory.
  public var isUnlocked: Bool { keybag.lockState == .unlocked }

  /// Locks the store.
  ///
  /// - Parameter reason: The reason, for the audit log.
  public func lock(because reason: String) {
    guard keybag.hasPasscode, isUnlocked else { return }
    var answer = "done"
    do {
      try eraseKeys()
    } catch {
      answer = Self.known(error).code.rawValue
    }
    try? log.append(
      AgentLogEntry(
        time: Date(), operation: "lock", subject: reason, evidence: [], process: getpid(),
        answer: answer))
  }

  /// Erases the keys here, and tells the processes that unlocked the store themselves.
  private func eraseKeys() throws {
    if isUnlocked { changed.withLock { $0 = Date() } }
    memoryKeys.removeAll()
    terminals.forget()
    questioner.storeWasLocked()
    try keybag.lockEverywhere()
  }

  /// Locks the store if it has not been used for the time that the options set.
  public func lockIfIdle(now: ContinuousClock.Instant = .now) {
    guard options.idleSeconds > 0,
      now - lastUse.withLock({ $0 }) >= .seconds(options.idleSeconds)
    else { return }
    lock(because: "idle")
  }

  // MARK: Requests

  private func carryOut(_ request: AgentRequest, for peer: Peer) throws -> AgentResponse {
    switch request {
    case .status, .lock, .log: break
    // With or without a grant, nothing is found in a store that is gone.
    default: try keybag.checkStore()
    }
    switch request {
    case .status: return try .document(Self.encode(status(peer)))
    case .unlock(let passcode):
      let wasUnlocked = isUnlocked
      try keybag.unlock(passcode: passcode.bytes)
      if !wasUnlocked { changed.withLock { $0 = Date() } }
      readAfterUnlock()
      terminals.remember(peer)
      // A lock that came meanwhile has forgotten them already.
      if !isUnlocked { terminals.forget() }
      lastUse.withLock { $0 = .now }
    case .lock: try eraseKeys()
    case .perform(let operation, let groups, let context):
      return try perform(operation, claim: groups, context, for: peer)
    case .fileKey(let request): return try perform(request, for: peer)
    case .grants: return try .document(Self.encode(grants()))
    case .addGrants(let grants, let passcode):
      return try .document(Self.encode(add(grants, passcode: passcode)))
    case .removeGrant(let id, let passcode): try removeGrant(id, passcode: passcode)
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
    return AgentStatus(
      store: keybag.identity.text, folder: location.store.path, isUnlocked: isUnlocked,
      isWiped: isWiped, since: changed.withLock { $0 },
      hasPasscode: keybag.hasPasscode, idleSeconds: options.idleSeconds, process: getpid(),
      evidence: evidence(of: peer))
  }

  /// Carries out an operation with the access groups that are granted.
  private func perform(
    _ operation: KeychainOperation, claim: [String], _ context: AgentContext, for peer: Peer
  ) throws -> AgentResponse {
    // A question about both would not say that the answer is about files.
    guard !(claim + operation.namedGroups).containsBytes(of: AgentGrant.filesGroup) else {
      throw AtRestError(
        .notPermitted,
        "The access group \(AgentGrant.filesGroup) stands for protected files, and has no items.",
        remedy: "Use another access group.")
    }
    let identity = try identity(
      for: peer, claim: claim, writing: operation.isWriting, item: operation.key,
      purpose: operation.keyPurpose)
    touch()
    do {
      return try operation.perform(
        on: keychain(for: identity),
        context: self.context(of: operation, context, identity, for: peer))
    } catch AtRestError.Code.notFound
      where claim.isEmpty && operation.namedGroups.isEmpty && !identity.isOwner
    {
      throw AtRestError(
        .notPermitted,
        "The access groups that this program may use (\(identity.accessGroups.joined(separator: ", "))) "
          + "have no such item, and it may not look in others.",
        remedy: "Check the name of the item, or grant its group with atrest grant add.")
    }
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

  private func record(_ request: AgentRequest, _ response: AgentResponse, _ peer: Peer) throws {
    let subject: String
    switch request {
    // These show nothing and change nothing.
    case .status, .grants, .log: return
    case .unlock, .lock: subject = ""
    case .perform(let operation, _, _): subject = operation.subject
    case .fileKey(let request): subject = request.subject
    case .addGrants(let grants, _):
      subject = grants.map { "\($0.evidence) \($0.groups)" }.joined(separator: ", ")
    case .removeGrant(let id, _): subject = id
    }
    let answer: String
    if case .refused(let error) = response { answer = error.code.rawValue } else { answer = "done" }
    try record(request.operation, subject, peer, answer: answer)
  }
}
