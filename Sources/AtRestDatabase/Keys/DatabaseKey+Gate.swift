import AtRestKeybag

extension DatabaseKey {
  /// Returns the gate of connections whose key is an item of a keychain, or nil for another key. It
  /// closes when the store of the keychain is wiped or replaced.
  func gate() throws -> ConnectionGate? {
    guard case .item(_, let keychain, _) = source else { return nil }
    let gate = try ConnectionGate()
    let keybag = keychain.keybag
    keybag.onLock { [weak gate, weak keybag] in
      if keybag?.isEnded != false { gate?.close() }
    }
    return gate
  }

  /// Returns a closure that asks the store itself whether it was wiped or replaced, or nil for a key that is
  /// no item of a keychain.
  var end: (@Sendable () -> Bool)? {
    guard case .item(_, let keychain, _) = source else { return nil }
    return { [keybag = keychain.keybag] in
      try? keybag.checkPresent(reading: true)
      return keybag.isEnded
    }
  }

  /// True if the key is an item of a keychain whose store was wiped or replaced.
  package var isEnded: Bool {
    guard case .item(_, let keychain, _) = source else { return false }
    return keychain.keybag.isEnded
  }
}
