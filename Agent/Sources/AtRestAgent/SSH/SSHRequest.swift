import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import Foundation

/// A request of the ssh-agent protocol (draft-ietf-sshm-ssh-agent).
enum SSHRequest: Sendable {
  case identities
  case sign(key: Data, data: Data, flags: UInt32)
  case add(SSHMemoryKeys.Key)
  case remove(key: Data)
  case removeAll
  case lock
  /// Unlocks with the store's passcode.
  case unlock(passcode: AgentSecret)
  case bind(hostKey: Data, session: Data, signature: Data, isForwarding: Bool)
  /// A request that this agent does not carry out, in words.
  case other(String)

  /// The types of requests that have threads of their own.
  static let lockType: UInt8 = 22
  static let unlockType: UInt8 = 23

  /// The operation by which the origin of the request is judged, or nil if the agent does not know it.
  var kind: GuardedOperation? {
    switch self {
    case .identities: .sshList
    case .sign: .sshSign
    case .add, .remove, .removeAll: .sshChangeKeys
    case .lock: .sshLock
    case .unlock: .sshUnlock
    case .bind: .sshBind
    case .other: nil
    }
  }

  /// The name of the operation, as the audit log has it.
  var operation: String {
    switch self {
    case .identities: "ssh-list"
    case .sign: "ssh-sign"
    case .add: "ssh-add"
    case .remove, .removeAll: "ssh-remove"
    case .lock: "ssh-lock"
    case .unlock: "ssh-unlock"
    case .bind: "ssh-bind"
    case .other: "ssh-other"
    }
  }

  /// The size of the largest message.
  static let largest = 256 << 10

  /// Reads a message, without its length.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` or ``AtRestError/Code/invalidArgument`` for bytes of
  ///   another form.
  init(decoding bytes: UnsafeRawBufferPointer) throws {
    var reader = SSHReader(bytes)
    let type = try reader.byte()
    switch type {
    case 11: self = .identities
    case 13:
      let (key, data) = (Data(try reader.string()), Data(try reader.string()))
      self = .sign(key: key, data: data, flags: try reader.integer())
    case 17, 25:
      guard let key = try Self.key(&reader, constrained: type == 25) else {
        self = .other("a key or a constraint of an unknown kind")
        return
      }
      self = .add(key)
    case Self.lockType:
      // The store is locked whatever the passphrase is, which only unlocking needs.
      _ = try reader.string()
      self = .lock
    case Self.unlockType:
      self = .unlock(passcode: AgentSecret(SecretBytes(copying: try reader.string())))
    case 18: self = .remove(key: Data(try reader.string()))
    case 19: self = .removeAll
    case 27:
      let name = try reader.text()
      guard name == "session-bind@openssh.com" else {
        self = .other("the extension \(name)")
        return
      }
      // One that cannot be read binds the connection too: to a host that has proved nothing.
      self = (try? Self.binding(&reader)) ?? Self.noBinding
      return
    default:
      self = .other("the type \(type)")
      return
    }
    try reader.finish()
  }

  private static let noBinding = bind(
    hostKey: Data(), session: Data(), signature: Data(), isForwarding: true)

  private static func binding(_ reader: inout SSHReader) throws -> SSHRequest {
    let (host, session) = (Data(try reader.string()), Data(try reader.string()))
    let signature = Data(try reader.string())
    let isForwarding = try reader.byte() != 0
    try reader.finish()
    return .bind(hostKey: host, session: session, signature: signature, isForwarding: isForwarding)
  }

  /// Reads a private key with its comment and constraints. Returns nil for algorithms and
  /// constraints that this agent does not know.
  private static func key(
    _ reader: inout SSHReader, constrained: Bool
  ) throws -> SSHMemoryKeys.Key? {
    guard let key = try SSHAddedKey(&reader) else { return nil }
    let comment = try reader.text()
    var (seconds, confirms): (UInt32?, Bool) = (nil, false)
    var destinations: [SSHDestination] = []
    while constrained, !reader.isAtEnd {
      switch try reader.byte() {
      case 1: seconds = try reader.integer()
      case 2: confirms = true
      case 255:
        guard try reader.text() == "restrict-destination-v00@openssh.com" else { return nil }
        guard destinations.isEmpty else { throw SSHReader.malformed }
        destinations = try SSHDestination.all(in: reader.string())
      // A constraint that is not known must not be ignored.
      default: return nil
      }
    }
    return SSHMemoryKeys.Key(
      publicKey: key.publicKey, blob: key.certificate ?? key.publicKey.blob, comment: comment,
      secret: key.secret, end: seconds.map { .now + .seconds(Int64($0)) },
      needsConfirmation: confirms, destinations: destinations)
  }
}
