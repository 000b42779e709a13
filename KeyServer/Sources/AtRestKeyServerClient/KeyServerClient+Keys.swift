import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation

/// Device shares and wrapped keys.
extension KeyServerClient {
  /// Returns a share of this device, 32 bytes, which is needed for what was sealed under it. After
  /// the device is revoked, nobody can get it any more.
  ///
  /// - Parameters:
  ///   - version: The version, or 0 for the current one.
  ///   - creating: True to create the share if the server has no share yet.
  /// - Throws: `AtRestError.Code.notFound`; `AtRestError.Code.notPermitted` if the version was
  ///   withdrawn; `AtRestError.Code.invalidArgument` for a name that is empty or longer than 128 bytes; the other
  ///   refusals.
  public func share(
    _ name: String, version: UInt32 = 0, creating: Bool = false
  ) throws -> SecretBytes {
    SecretBytes(
      try get(KeyRequest(.deviceShare, name: name, version: version, creates: creating)).key)
  }

  /// Creates a new version of a share, and returns its number. Older versions stay until
  /// ``withdrawShares(_:before:)``.
  @discardableResult
  public func rotateShare(_ name: String) throws -> UInt32 {
    try answer("/v1/keys/rotate", KeyRequest(.deviceShare, name: name)).version
  }

  /// Destroys the versions of a share before a version.
  public func withdrawShares(_ name: String, before version: UInt32) throws {
    _ = try answer("/v1/keys/minimum", KeyRequest(.deviceShare, name: name, version: version))
  }

  // MARK: Wrapped keys

  /// Wraps a key under the account's current key-encryption key.
  ///
  /// The server derives a wrapping key for this one key, and the wrapping happens here, so the server
  /// never sees the key. The result is version (u32) ‖ identifier (16 bytes) ‖ box.
  ///
  /// - Parameters:
  ///   - name: The name of the key-encryption key, which is created when it is first used.
  ///   - context: A description of the key, which is not stored. Pass it again to unwrap.
  public func wrap(_ key: borrowing SecretBytes, under name: String, context: Data) throws -> Data {
    let identifier = RandomBytes.data(count: Limits.identifier)
    let answer = try get(
      KeyRequest(.keyEncryption, name: name, identifier: identifier, creates: true))
    var writer = MessageWriter()
    writer.integer(answer.version)
    writer.fixed(identifier)
    let head = writer.data
    return try head
      + SealingKey(SecretBytes(answer.key)).seal(key, context: head + Data(name.utf8) + context)
  }

  /// Unwraps a key.
  ///
  /// - Throws: `AtRestError.Code.damaged` if it was modified or the name or context is another;
  ///   `AtRestError.Code.notPermitted` if its version was withdrawn; the other refusals.
  public func unwrap(_ wrapped: Data, under name: String, context: Data) throws -> SecretBytes {
    guard wrapped.count >= 20 + SealingKey.overhead else {
      throw AtRestError(
        .damaged, "The wrapped key was cut off.", remedy: "Restore it from a backup.")
    }
    let head = Data(wrapped.prefix(20))
    let version = head.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let answer = try get(
      KeyRequest(
        .keyEncryption, name: name, version: version, identifier: Data(head.suffix(16))))
    return try SealingKey(SecretBytes(answer.key)).open(
      Data(wrapped.dropFirst(20)), context: head + Data(name.utf8) + context,
      name: "The wrapped key")
  }

  /// Wraps a key again under the current version. The data under the key stays as it is.
  public func rewrap(_ wrapped: Data, under name: String, context: Data) throws -> Data {
    try wrap(unwrap(wrapped, under: name, context: context), under: name, context: context)
  }

  /// Creates a new version of a key-encryption key, and returns its number.
  @discardableResult
  public func rotateKey(_ name: String) throws -> UInt32 {
    try answer("/v1/keys/rotate", KeyRequest(.keyEncryption, name: name)).version
  }

  /// Destroys the versions of a key-encryption key before a version.
  public func withdrawKeys(_ name: String, before version: UInt32) throws {
    _ = try answer("/v1/keys/minimum", KeyRequest(.keyEncryption, name: name, version: version))
  }

  /// Returns a key from the server, or the one that was kept if the server cannot be reached.
  private func get(_ request: KeyRequest) throws -> KeyRequest.Answer {
    guard let offline else { return try fetch(request) }
    do {
      let answer = try fetch(request)
      try offline.keep(answer, for: request, of: identity)
      return answer
    } catch let error as AtRestError {
      switch error.code {
      case .keyServerOffline:
        if let kept = try offline.answer(to: request, of: identity) { return kept }
      case .revoked, .notEnrolled: try offline.removeAll(of: identity)
      case .notFound, .notPermitted: try offline.remove(request, of: identity)
      default: break
      }
      throw error
    }
  }

  private func fetch(_ request: KeyRequest) throws -> KeyRequest.Answer {
    let answer = try answer("/v1/keys/get", request)
    guard answer.key.count == 32 else {
      throw AtRestError(damaged: "The key server's answer has no key.")
    }
    return answer
  }

  private func answer(_ path: String, _ message: KeyRequest) throws -> KeyRequest.Answer {
    guard (1...Limits.name).contains(message.name.utf8.count) else {
      throw AtRestError(
        .invalidArgument, "The name of a share or key has 1 to \(Limits.name) bytes.",
        remedy: "Choose another name.")
    }
    return try KeyRequest.Answer(decoding: request(path, message.encoded))
  }
}
