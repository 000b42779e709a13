import AtRestCrypto

/// The two shares of an effaceable key: one is in the store's keybag, one in the device's record of
/// the store. Without either, nothing in the store opens.
struct KeyShares {
  let store: SecretBox
  let device: SecretBox

  static func random() -> KeyShares {
    KeyShares(
      store: SecretBox(.random(count: KeybagFile.shareCount)),
      device: SecretBox(.random(count: KeybagFile.shareCount)))
  }

  /// The effaceable key: the store's share, then the device's.
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
