import AtRestCrypto
@_spi(Tools) import AtRestKeybag

@_spi(Tools) extension FileKeyRequest {
  /// Carries out the request with the class keys of a keybag.
  ///
  /// - Returns: The wrapped key as data, or the unwrapped key as a secret. A refusal is thrown.
  /// - Throws: ``AtRestError/Code/otherStore`` if the keybag is that of another store;
  ///   ``AtRestError/Code/locked``; ``AtRestError/Code/damaged`` if a wrapped key does not unwrap.
  public func perform(on keybag: Keybag) throws -> AgentResponse {
    guard store == keybag.identity else {
      throw AgentLimits.otherStore(store, served: keybag.identity)
    }
    let keys = FileClassKeys(keybag, usesAgent: false)
    switch work {
    case .wrap(let key): return .data(try keys.wrap(key.bytes, under: keyClass, file: file))
    case .unwrap(let wrapped, let origin):
      return .secret(
        AgentSecret(try keys.unwrap(wrapped, under: keyClass, from: origin, file: file)))
    }
  }
}
