import AtRestCrypto
import AtRestKeybag
import Foundation

/// A request to the agent. `docs/Agent.md` describes its bytes.
public enum AgentRequest: Sendable {
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
  /// Gives a grant. Requires the store's passcode.
  case addGrant(AgentGrant, passcode: AgentSecret)
  /// Removes a grant. Requires the store's passcode.
  case removeGrant(String, passcode: AgentSecret)
  /// Asks for the last entries of the audit log.
  case log(count: UInt16)

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
    case .addGrant: "add-grant"
    case .removeGrant: "remove-grant"
    case .log: "log"
    }
  }

  /// Returns true if the bytes of a request ask for the secret of one item, with a quick look that
  /// decodes nothing but its beginning.
  public static func readsSecret(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var reader = ByteReader(bytes, name: "The request")
    let code: UInt8? = try? {
      guard try reader.integer(UInt8.self) == version, try reader.integer(UInt8.self) == 4 else {
        return nil
      }
      _ = try reader.groups()
      _ = try reader.interaction()
      _ = try reader.text()
      // An application password takes the time of its KDF.
      guard try !reader.flag() else { return nil }
      return try reader.integer()
    }()
    return code == 1
  }

  // MARK: As bytes

  /// Returns the bytes of the message, without its length.
  public func encoded() throws -> SecretBytes {
    var writer = ByteWriter()
    defer { writer.erase() }
    writer.integer(Self.version)
    switch self {
    case .status: writer.integer(UInt8(1))
    case .unlock(let passcode):
      writer.integer(UInt8(2))
      writer.secret(passcode)
    case .lock: writer.integer(UInt8(3))
    case .perform(let operation, let groups, let context):
      writer.integer(UInt8(4))
      writer.groups(groups)
      writer.integer(context.interaction.number)
      writer.counted(utf8: context.reason)
      writer.optional(context.applicationPassword) { $0.secret($1) }
      operation.encode(into: &writer)
    case .fileKey(let request): request.encode(into: &writer)
    case .grants: writer.integer(UInt8(8))
    case .addGrant(let grant, let passcode):
      writer.integer(UInt8(9))
      writer.counted(utf8: grant.evidence.kind.rawValue)
      writer.counted(utf8: grant.evidence.value)
      writer.groups(grant.groups)
      writer.flag(grant.mayWrite)
      writer.secret(passcode)
    case .removeGrant(let id, let passcode):
      writer.integer(UInt8(10))
      writer.counted(utf8: id)
      writer.secret(passcode)
    case .log(let count):
      writer.integer(UInt8(11))
      writer.integer(count)
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
  /// - Throws: ``AtRestError/Code/damaged`` for other bytes;
  ///   ``AtRestError/Code/unsupportedVersion``.
  public init(decoding bytes: UnsafeRawBufferPointer) throws {
    var reader = ByteReader(bytes, name: "The request")
    let version: UInt8 = try reader.integer()
    guard version == Self.version else {
      throw AtRestError.unsupported("The request", version: version, known: Self.version)
    }
    let operation: UInt8 = try reader.integer()
    switch operation {
    case 1: self = .status
    case 2: self = .unlock(passcode: try reader.secret())
    case 3: self = .lock
    case 4:
      let groups = try reader.groups()
      let context = AgentContext(
        interaction: try reader.interaction(), reason: try reader.text(),
        applicationPassword: try reader.optional { try $0.secret() })
      self = .perform(
        try KeychainOperation(from: &reader), groups: groups, context: context)
    case 8: self = .grants
    case 9:
      guard let kind = AgentEvidence.Kind(rawValue: try reader.text()) else {
        throw AgentLimits.malformed
      }
      let evidence = AgentEvidence(kind, try reader.text())
      let groups = try reader.groups()
      let grant = AgentGrant(evidence, groups: groups, mayWrite: try reader.flag())
      self = .addGrant(grant, passcode: try reader.secret())
    case 10:
      let id = try reader.text()
      self = .removeGrant(id, passcode: try reader.secret())
    case 11: self = .log(count: try reader.integer())
    case _ where FileKeyRequest.has(operation):
      self = .fileKey(try FileKeyRequest(operation, from: &reader))
    default: throw AgentLimits.malformed
    }
    try reader.finish()
  }
}
