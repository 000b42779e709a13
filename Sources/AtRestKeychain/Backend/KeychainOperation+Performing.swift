import AtRestCrypto
import Foundation

extension KeychainOperation {
  /// Carries out the operation for another process.
  func perform(
    on backend: any KeychainBackend, context: AuthenticationContext
  ) throws -> AgentResponse {
    switch self {
    case .secret(let item):
      return .secret(AgentSecret(try backend.secret(of: item, context: context)))
    case .items(let items, let secrets):
      return .items(try backend.items(items, secrets: secrets, context: context))
    case .add(let key, let attributes, let protection, let secret, let isHardwareKey):
      let item = NewItem(
        key: key, attributes: attributes, protection: protection, isHardwareKey: isHardwareKey)
      return .items(
        KeychainItems([
          try Self.withBytes(of: secret) {
            try backend.addItem(item, value: $0, context: context)
          }
        ]))
    case .set(let key, let attributes, let protection, let secret):
      return .data(
        try secret.bytes.withUnsafeBytes {
          try backend.set(
            key, value: $0, attributes: attributes, protection: protection, context: context)
        }.data)
    case .update(let items, let change, let secret):
      return .count(
        try Self.withBytes(of: secret) {
          try backend.update(items, change, value: $0, context: context)
        })
    case .delete(let items): return .count(try backend.delete(items))
    case .deleteAll(let group): return .count(try backend.deleteAll(in: group))
    case .createKey(let algorithm, let traits):
      return .publicKey(try backend.createKey(algorithm, traits, context: context))
    case .createHardwareKey(let traits):
      return .publicKey(try backend.createHardwareKey(traits, context: context))
    case .importKey(let algorithm, let traits, let secret):
      return .publicKey(
        try backend.importKey(
          PrivateKey(storage: secret.bytes.duplicate(), algorithm: algorithm), traits,
          context: context))
    case .publicKey(let name): return .publicKey(try backend.publicKey(name))
    case .useKey(let key, let use):
      return try backend.withKey(key, decrypts: use.decrypts, context: context) {
        try use.perform(with: $0)
      }
    case .exportKey(let name):
      return .privateKey(try backend.exportKey(name, context: context))
    case .deleteKey(let name):
      try backend.deleteKey(name)
      return .done
    }
  }

  private static func withBytes<Result>(
    of secret: AgentSecret?, _ body: (UnsafeRawBufferPointer?) throws -> Result
  ) throws -> Result {
    guard let secret else { return try body(nil) }
    return try secret.bytes.withUnsafeBytes { try body($0) }
  }
}

extension KeyUse {
  /// Uses a key.
  fileprivate func perform(with key: borrowing PrivateKeyInUse) throws -> AgentResponse {
    switch self {
    case .sign(let message, let scheme):
      .data(try key.signature(for: message, scheme: scheme))
    case .signDigest(let digest, let form):
      .data(try key.signature(forDigest: digest, form.scheme))
    case .agree(let other): .secret(AgentSecret(try key.sharedSecret(with: other)))
    case .agreeX963(let other, let hash, let info, let count):
      .secret(
        AgentSecret(
          try key.sharedSecret(
            with: other, derivingX963: hash.function, sharedInfo: info, count: Int(count))))
    case .decrypt(let ciphertext, let padding):
      .secret(AgentSecret(try key.decrypt(ciphertext, padding: padding.padding)))
    case .open(let envelope, let form):
      .secret(AgentSecret(try key.open(envelope, form.form)))
    }
  }
}
