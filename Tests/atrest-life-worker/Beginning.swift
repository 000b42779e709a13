import AtRestCrypto
import AtRestKeybag
import AtRestKeychain

/// Creating a store and setting a first passcode, as `atrest init` and `atrest passcode set` do, with a
/// cost that lets a test open the store thousands of times.
struct Beginning {
  private let order: Order

  init(_ order: Order) { self.order = order }

  func run(_ verb: String) throws {
    let place = try order.place
    let options = Keybag.Options(kdf: .forTesting)
    if verb == "passcode-set" {
      let keybag = try place.location.openKeybag()
      try keybag.setPasscode(order.secret("new"), options: options)
      // Opening seals the items under the new class keys.
      try Keychain.open(keybag, identity: .owner()).close()
      return keybag.close()
    }
    let device = try place.location.makeDevice()
    let keybag =
      if order["new"] != nil {
        try Keybag.create(
          at: place.store, device: device, passcode: order.secret("new"), options: options)
      } else {
        try Keybag.create(at: place.store, device: device, options: options)
      }
    try Keychain.open(keybag, identity: .owner()).close()
    keybag.close()
  }
}
