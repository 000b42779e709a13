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

  init(store: SecretBox, device: SecretBox) {
    self.store = store
    self.device = device
  }

  /// Takes an effaceable key apart.
  init(of effaceable: SecretBox) {
    let half = { (offset: Int) in
      SecretBox(
        SecretBytes(count: KeybagFile.shareCount) { bytes in
          effaceable.bytes.withUnsafeBytes {
            bytes.copyMemory(
              from: UnsafeRawBufferPointer(
                rebasing: $0[offset..<offset + KeybagFile.shareCount]))
          }
        })
    }
    self.init(store: half(0), device: half(KeybagFile.shareCount))
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
