@_spi(Tools) import AtRestCrypto
@_spi(Tools) import AtRestKeybag
import Foundation

/// A request to the agent. `docs/Agent.md` describes its bytes.
@_spi(Tools) public enum AgentRequest: Sendable {
  /// Asks for the agent's state.
  case status
  /// Unlocks the store for all processes.
  case unlock(passcode: AgentSecret)
  /// Locks the store for all processes.
  case lock
  /// Carries out an operation on items.
  ///
  /// - Parameter groups: The access groups that the caller wants to use. They only narrow what is
  ///   granted. Without any, all granted groups are used.
  case perform(KeychainOperation, groups: [String], context: AgentContext = AgentContext())
  /// Wraps or unwraps the key of a protected file.
  case fileKey(FileKeyRequest)
  /// Asks for all grants.
  case grants
  /// Gives grants, all of them or none. Requires the store's passcode.
  case addGrants([AgentGrant], passcode: AgentSecret)
  /// Removes a grant. Requires the store's passcode.
  case removeGrant(String, passcode: AgentSecret)
  /// Asks for the last entries of the audit log.
  case log(count: UInt16)

  /// Returns a request for a single grant.
  public static func addGrant(_ grant: AgentGrant, passcode: AgentSecret) -> AgentRequest {
    .addGrants([grant], passcode: passcode)
  }

  /// The version of the messages.
  public static let version = AgentLimits.version
  /// The size of the largest message in bytes, without its length.
  public static let largest = AgentLimits.request

  /// The name of the operation, as the audit log has it.
  public var operation: String {
    switch self {
    case .status: "status"
    case .unlock: "unlock"
    case .lock: "lock"
    case .perform(let operation, _, _): operation.name
    case .fileKey(let request): request.operation
    case .grants: "grants"
    case .addGrants: "add-grant"
    case .removeGrant: "remove-grant"
    case .log: "log"
    }
  }

  /// Returns true if the bytes of a request ask for the secret of one item, with a quick look that
  /// decodes nothing but its beginning.
  public static func readsSecret(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var reader = ByteReader(bytes, name: "The request")
    let code: UInt8? = try? {
      guard try reader.head().operation == .perform else { return nil }
      _ = try reader.groups()
      _ = try reader.interaction()
      _ = try reader.text()
      // An application password takes the time of its KDF.
      guard try !reader.flag() else { return nil }
      return try reader.integer()
    }()
    return code == KeychainOperation.Code.secret.rawValue
  }

  // MARK: As bytes

  private var code: AgentOperation {
    switch self {
    case .status: .status
    case .unlock: .unlock
    case .lock: .lock
    case .perform: .perform
    case .fileKey(let request): request.isWriting ? .wrapFileKey : .unwrapFileKey
    case .grants: .grants
    case .addGrants: .addGrants
    case .removeGrant: .removeGrant
    case .log: .log
    }
  }

  /// Returns the bytes of the message, without its length.
  ///
  /// - Parameter store: The store that the request is meant for. The request about the key of a file has
  ///   its own.
  public func encoded(for store: StoreIdentity) throws -> SecretBytes {
    var writer = ByteWriter()
    defer { writer.erase() }
    if case .fileKey(let request) = self {
      request.encode(into: &writer)
      return SecretBytes(writer.bytes)
    }
    writer.head(code, for: store)
    switch self {
    case .status, .lock, .grants, .fileKey: break
    case .unlock(let passcode): writer.secret(passcode)
    case .perform(let operation, let groups, let context):
      writer.groups(groups)
      writer.integer(context.interaction.number)
      writer.counted(utf8: context.reason)
      writer.optional(context.applicationPassword) { $0.secret($1) }
      operation.encode(into: &writer)
    case .addGrants(let grants, let passcode):
      writer.integer(UInt16(clamping: grants.count))
      for grant in grants { writer.grant(grant) }
      writer.secret(passcode)
    case .removeGrant(let id, let passcode):
      writer.counted(utf8: id)
      writer.secret(passcode)
    case .log(let count): writer.integer(count)
    }
    guard writer.bytes.count <= Self.largest else {
      throw AtRestError.invalid(
        "The message has \(writer.bytes.count) bytes; the agent takes at most \(Self.largest).",
        remedy:
          "Unlock the store in this process to store a secret of this size, or protect a file.")
    }
    return SecretBytes(writer.bytes)
  }

  /// Reads a message.
  ///
  /// - Parameter store: The store that the agent serves.
  /// - Throws: ``AtRestError/Code/damaged`` for other bytes; ``AtRestError/Code/otherStore`` if the
  ///   message is meant for another store; ``AtRestError/Code/unsupportedVersion``.
  public init(decoding bytes: UnsafeRawBufferPointer, for store: StoreIdentity) throws {
    var reader = ByteReader(bytes, name: "The request")
    let (operation, wanted) = try reader.head()
    guard wanted == store else { throw AgentLimits.otherStore(wanted, served: store) }
    switch operation {
    // The connection answers greetings.
    case .greeting: throw AgentLimits.malformed
    case .status: self = .status
    case .unlock: self = .unlock(passcode: try reader.secret())
    case .lock: self = .lock
    case .perform:
      let groups = try reader.groups()
      let context = AgentContext(
        interaction: try reader.interaction(), reason: try reader.text(),
        applicationPassword: try reader.optional { try $0.secret() })
      self = .perform(
        try KeychainOperation(from: &reader), groups: groups, context: context)
    case .grants: self = .grants
    case .addGrants:
      let count: UInt16 = try reader.integer()
      guard (1...AgentLimits.parts).contains(Int(count)) else { throw AgentLimits.malformed }
      let grants = try (0..<count).map { _ in try reader.grant() }
      self = .addGrants(grants, passcode: try reader.secret())
    case .removeGrant:
      let id = try reader.text()
      self = .removeGrant(id, passcode: try reader.secret())
    case .log: self = .log(count: try reader.integer())
    case .wrapFileKey, .unwrapFileKey:
      self = .fileKey(
        try FileKeyRequest(isWriting: operation == .wrapFileKey, for: store, from: &reader))
    }
    try reader.finish()
  }

  /// Returns true if the bytes are a greeting, which is answered with ``AgentResponse/greeting(_:)``.
  ///
  /// - Throws: ``AtRestError/Code/unsupportedVersion``; ``AtRestError/Code/damaged``.
  public static func isGreeting(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
    var reader = ByteReader(bytes, name: "The request")
    guard try reader.head().operation == .greeting else { return false }
    try reader.finish()
    return true
  }
}
