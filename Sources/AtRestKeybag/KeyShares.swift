import AtRestCrypto

/// The two shares of an effaceable key. One is in the store's keybag, the other in the device's
/// record of the store. Nothing in the store opens without both.
struct KeyShares {
  let store: SecretBox
  let device: SecretBox

  static func random() -> KeyShares {
    KeyShares(
      store: SecretBox(.random(count: KeybagFile.shareCount)),
      device: SecretBox(.random(count: KeybagFile.shareCount)))
  }

  /// The effaceable key: the store's share followed by the device's.
  var joined: SecretBox {
    SecretBox(
      SecretBytes(count: 2 * KeybagFile.shareCount) { bytes in
        store.bytes.withUnsafeBytes { bytes.copyMemory(from: $0) }
        device.bytes.withUnsafeBytes {
          UnsafeMutableRawBufferPointer(rebasing: bytes[KeybagFile.shareCount...])
            .copyMemory(from: $0)
        }
      })
  }
}
