import AtRestCrypto
import AtRestFiles
import AtRestKeybag
import AtRestKeychain
import Synchronization

/// The keys that a command uses for files. Each is requested when a file first needs it, and only
/// once.
final class FileKeyring: Sendable {
  private struct State {
    var keybag = Once<Keybag>()
    var passcode = Once<SecretBox?>()
    var passphrase = Once<SecretBox>()
    var passphraseFiles = Once<ProtectedFiles>()
    var identityFiles = Once<ProtectedFiles>()
  }

  private let unlock: UnlockOptions
  private let passphraseFile: String?
  /// True if the user named the passphrase as the way in.
  private let usesPassphrase: Bool
  private let identity: IdentityOptions?
  private let state = Mutex(State())

  /// - Parameter asksPassphrase: True to open files only with their passphrase, asked for on the terminal.
  init(
    _ unlock: UnlockOptions, passphraseFile: String?, asksPassphrase: Bool = false,
    identity: IdentityOptions?
  ) {
    self.unlock = unlock
    self.passphraseFile = passphraseFile
    usesPassphrase = passphraseFile != nil || asksPassphrase
    self.identity = identity
  }

  /// True if the user named the ways in, so the store is not one of them.
  private var namesWays: Bool { usesPassphrase || identity?.isGiven == true }

  /// Files opened with the keys that their headers require.
  var files: ProtectedFiles {
    ProtectedFiles { readers, name in
      try self.state.withLock { try self.files(for: readers, name, &$0) }
    } explaining: { error, readers in
      self.namesWays ? error : Self.namingOtherWays(error, readers)
    }
  }

  /// Names the other ways into a file that the store does not open.
  private static func namingOtherWays(
    _ error: AtRestError, _ readers: [FileDescription.Reader]
  ) -> AtRestError {
    var ways: [String] = []
    if readers.contains(where: { $0.kind == "passphrase" }) { ways.append("--passphrase-file") }
    if readers.contains(where: \.isRecipient) { ways.append("--identity") }
    guard readers.contains(where: { $0.protection != nil }), !ways.isEmpty,
      !ways.contains(where: { error.remedy.contains($0) })
    else { return error }
    let another = ways == ["--identity"] ? "a private key" : "a passphrase"
    return AtRestError(
      error.code, error.message,
      remedy: "\(error.remedy) The file also opens with \(another), without the store: "
        + "use \(ways.joined(separator: " or ")).",
      cause: error.cause)
  }

  /// Opens the store for new files of a class, and unlocks it if the class requires this and no agent
  /// wraps the keys of files.
  func store(for protection: FileProtection) throws -> ProtectedFiles {
    try state.withLock { state in
      try store(mustUnlock: protection != .none && protection != .completeUnlessOpen, &state)
    }
  }

  /// Returns the passphrase of existing files.
  func passphrase() throws -> SecretBox {
    try state.withLock { try passphrase(&$0) }
  }

  private func passphrase(_ state: inout State) throws -> SecretBox {
    try state.passphrase.get {
      SecretBox(
        try PassphraseOptions.read(passphraseFile, isNew: false, of: "the files"))
    }
  }

  private func files(
    for readers: [FileDescription.Reader], _ name: String, _ state: inout State
  ) throws -> ProtectedFiles {
    let protection = readers.lazy.compactMap(\.protection).first
    let hasPassphrase = readers.contains { $0.kind == "passphrase" }
    let hasRecipient = readers.contains(where: \.isRecipient)
    // If the options name a way in, no other is used: a drill with a wrong key must fail.
    if hasRecipient, identity?.isGiven == true { return try identityFiles(readers, name, &state) }
    let isNamed = hasPassphrase && usesPassphrase
    guard isNamed || !namesWays || protection == nil else { throw notNamed(name) }
    if let protection, !isNamed,
      try !(hasPassphrase || hasRecipient) || storeOpens(readers, &state)
    {
      return try store(mustUnlock: protection != .none, &state)
    }
    guard hasPassphrase else { return try identityFiles(readers, name, &state) }
    let passphrase = try passphrase(&state)
    return try state.passphraseFiles.get { try ProtectedFiles(passphrase: passphrase.bytes) }
  }

  /// The error of a file that only the store opens, although the options name another way in.
  private func notNamed(_ name: String) -> AtRestError {
    let isKey = identity?.isGiven == true
    let way =
      isKey && usesPassphrase
      ? "a passphrase or a private key" : isKey ? "a private key" : "a passphrase"
    return AtRestError(
      .notPermitted, "\(name) does not open with \(way), which the options require.",
      remedy:
        "Omit --passphrase-file, --passphrase, --identity and --key-tag to open it with the store. "
        + "With --class, only the store opens files.")
  }

  /// Returns false if there is no store, or it is neither the file's nor has that store's keys.
  private func storeOpens(
    _ readers: [FileDescription.Reader], _ state: inout State
  ) throws -> Bool {
    let keybag: Keybag
    do {
      keybag = try self.keybag(&state)
    } catch AtRestError.Code.notFound, AtRestError.Code.wiped {
      return false
    }
    return try readers.lazy.compactMap(\.store).compactMap(StoreIdentity.init(text:))
      .contains { try keybag.opensFiles(of: $0) }
  }

  private func keybag(_ state: inout State) throws -> Keybag {
    try state.keybag.get { try unlock.store.openKeybag() }
  }

  private func store(mustUnlock: Bool, _ state: inout State) throws -> ProtectedFiles {
    let keybag = try keybag(&state)
    let usesAgent = try unlock.usesAgent(for: keybag)
    if mustUnlock, !usesAgent { _ = try state.passcode.get { try unlock.unlock(keybag) } }
    return ProtectedFiles(keybag, usesAgent: usesAgent)
  }

  private func identityFiles(
    _ readers: [FileDescription.Reader], _ name: String, _ state: inout State
  ) throws -> ProtectedFiles {
    guard let identity, identity.isGiven else {
      let keys = readers.prefix(3).compactMap { reader in
        reader.algorithm.map { "\($0) \(reader.fingerprint ?? "")" }
      }
      throw AtRestError(
        .notPermitted,
        "\(name) needs a private key: \(keys.joined(separator: ", ")).",
        remedy: "Pass the key with --identity FILE, or --key-tag TAG for a key in the store.")
    }
    if let file = identity.identity {
      return try state.identityFiles.get {
        try ProtectedFiles(identity: PrivateKey(importing: SecretInput.contents(of: file)))
      }
    }
    let keybag = try keybag(&state)
    return try state.identityFiles.get {
      let usesAgent = try unlock.usesAgent(for: keybag)
      let passcode = usesAgent ? nil : try state.passcode.get { try unlock.unlock(keybag) }
      return try identity.files(keybag, passcode, usesAgent: usesAgent)
    }
  }
}

extension FileDescription.Reader {
  var isRecipient: Bool { kind == "recipient" }
}
