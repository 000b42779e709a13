@_spi(Tools) import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation

/// Device shares and key-encryption keys.
extension KeyServerStore {
  /// Returns a device share, or a key derived from a key-encryption key.
  ///
  /// - Throws: ``AtRestError/Code/notFound`` if there is no such key and it must not be created;
  ///   ``AtRestError/Code/notPermitted`` if the version is below the minimum; the errors of
  ///   authentication.
  package func key(_ request: KeyRequest, _ signature: RequestSignature) throws
    -> KeyRequest.Answer
  {
    try transaction { transaction in
      let (owner, policy) = try transaction.owner(request, signature)
      let id = keyID(request, owner)
      var found = try transaction.row(.keys, id)
      if found == nil, request.creates {
        guard try transaction.count(.keys, owner: owner) < KeyRecord.maximumOfOwner else {
          throw AtRestError(
            .invalidArgument,
            "\(request.kind == .deviceShare ? "A device" : "An account") has at most \(KeyRecord.maximumOfOwner) keys.",
            remedy: "Use one key for several purposes, with a context of its own for each.")
        }
        let inserted = try transaction.insert(
          .keys, id: id, owner: owner, contents: KeyRecord(name: request.name).contents)
        if inserted { try transaction.log("key created: \(Self.describe(request, owner))") }
        found = try transaction.row(.keys, id)
      }
      guard let row = found else { throw Self.noSuchKey }
      let record = try KeyRecord(row)
      guard request.version == 0 || request.version >= record.minimum else {
        throw AtRestError(
          .notPermitted,
          "Version \(request.version) of the key was withdrawn; the minimum is \(record.minimum).",
          remedy: "Use a copy that was rewrapped.")
      }
      let version = record.versions.first { $0.number == request.version }
      guard let version = request.version == 0 ? record.current : version else {
        throw Self.noSuchKey
      }
      return KeyRequest.Answer(
        version: version.number, minimum: record.minimum,
        offlineSeconds: policy.offlineSeconds,
        key: released(version.key, request, version.number))
    }
  }

  /// Creates a new version of a key, which becomes the current one.
  package func rotateKey(_ request: KeyRequest, _ signature: RequestSignature) throws
    -> KeyRequest.Answer
  {
    try change(request, signature, "rotated") { record in
      guard record.versions.count < KeyRecord.maximumVersions else {
        throw AtRestError(
          .invalidArgument,
          "The key has \(KeyRecord.maximumVersions) versions, which is the limit.",
          remedy: "Rewrap what the oldest versions wrap, and raise the minimum version.")
      }
      record.versions.append(
        .init(number: record.current.number + 1, key: SecretHolder(.random(count: 32))))
    }
  }

  /// Destroys the versions below a minimum.
  package func raiseMinimum(_ request: KeyRequest, _ signature: RequestSignature) throws
    -> KeyRequest.Answer
  {
    try change(request, signature, "minimum raised to \(request.version)") { record in
      guard request.version <= record.current.number else {
        throw AtRestError(
          .invalidArgument, "The current version cannot be withdrawn.", remedy: "Rotate first.")
      }
      record.versions.removeAll { $0.number < request.version }
    }
  }

  private func change(
    _ request: KeyRequest, _ signature: RequestSignature, _ event: String,
    _ body: (inout KeyRecord) throws -> Void
  ) throws -> KeyRequest.Answer {
    try transaction { transaction in
      let (owner, _) = try transaction.owner(request, signature)
      guard let row = try transaction.row(.keys, keyID(request, owner), locked: true) else {
        throw Self.noSuchKey
      }
      var record = try KeyRecord(row)
      try body(&record)
      try transaction.update(.keys, row, contents: record.contents)
      try transaction.log("key \(event): \(Self.describe(request, owner))")
      return KeyRequest.Answer(
        version: record.current.number, minimum: record.minimum, key: Data())
    }
  }

  /// A share leaves the server as it is. A key-encryption key never does: the client receives a key
  /// for one wrapped key, and wraps with it.
  private func released(_ key: SecretHolder, _ request: KeyRequest, _ version: UInt32) -> Data {
    switch request.kind {
    case .deviceShare: Data(copying: key.bytes)
    case .keyEncryption:
      Data(copying: key.bytes.derive(.wrapping, context: request.identifier))
    }
  }

  private func keyID(_ request: KeyRequest, _ owner: Data) -> Data {
    keys.identifier(.keys, owner, Data([request.kind.rawValue]), Data(request.name.utf8))
  }

  private static func describe(_ request: KeyRequest, _ owner: Data) -> String {
    let kind = request.kind == .deviceShare ? "share of device" : "key of account"
    return "\(request.name), \(kind) \(owner.prefix(16).hexadecimal)"
  }

  private static let noSuchKey = AtRestError(
    .notFound, "There is no such key or version.",
    remedy: "Check the name, or create the key first.")
}

extension Transaction {
  /// Authenticates a request, and returns the owner of the keys that it names, and the policy.
  fileprivate func owner(
    _ request: KeyRequest, _ signature: RequestSignature
  ) throws -> (Data, AccountPolicy) {
    let (caller, policy) = try authenticateUser(signature)
    return (request.kind == .deviceShare ? caller.device : caller.account, policy)
  }
}

extension Purpose {
  fileprivate static let wrapping = Purpose("atrest.keyserver.wrapping.v1")
}
