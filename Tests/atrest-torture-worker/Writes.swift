import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Foundation

/// One kind of durable write. After each write the worker writes `done`.
///
/// The command is `writes STORE DEVICE PASSCODE KIND [NEW]`. PASSCODE is `-` if none is set.
struct Writes {
  private let store: Store
  private let passcode: String?
  private let kind: String
  private let new: String

  init(_ store: Store, _ arguments: [String]) throws {
    guard arguments.count >= 2 else { throw Unusable("writes STORE DEVICE PASSCODE KIND [NEW]") }
    self.store = store
    passcode = arguments[0] == "-" ? nil : arguments[0]
    kind = arguments[1]
    new = arguments.count > 2 ? arguments[2] : ""
  }

  static func key(_ number: Int) -> PrimaryKey {
    .genericPassword(service: "power", account: "\(number)")
  }

  func run() throws {
    if kind == "make" { return try make() }
    let keybag = try store.keybag()
    if let passcode { try keybag.unlock(passcode: SecretBytes(utf8: passcode)) }
    let keychain = try Keychain.open(keybag, identity: Store.identity)
    switch kind {
    case "add": try add(3..<4, to: keychain)
    case "add-ten": try add(3..<13, to: keychain)
    case "update":
      try keychain.update(Self.key(1), secret: SecretBytes(utf8: "changed 1"))
      say("done")
    case "delete":
      try keychain.delete(Self.key(1))
      say("done")
    case "passcode":
      try changePasscode(keybag)
      say("done")
    default: throw Unusable("no kind \(kind)")
    }
    keychain.close()
    keybag.close()
  }

  /// Creates a store with three items whose secrets are `secret 0` to `secret 2`. With a passcode,
  /// it has one more item, which is removed with the passcode. NEW is the attempt limit.
  private func make() throws {
    let device = try FileDeviceKey.openOrCreate(in: store.deviceFolder)
    let options = Keybag.Options(kdf: .forTesting, attemptLimit: UInt16(new) ?? 0)
    let keybag =
      if let passcode {
        try Keybag.create(
          at: store.folder, device: device, passcode: SecretBytes(utf8: passcode),
          options: options)
      } else {
        try Keybag.create(at: store.folder, device: device, options: options)
      }
    let keychain = try Keychain.open(keybag, identity: Store.identity)
    try add(0..<3, to: keychain)
    if passcode != nil {
      try keychain.add(
        Self.key(100), secret: SecretBytes(utf8: "secret 100"),
        protection: .accessible(.whenPasscodeSetThisDeviceOnly))
    }
    keychain.close()
    keybag.close()
  }

  private func add(_ numbers: Range<Int>, to keychain: Keychain) throws {
    for number in numbers {
      try keychain.add(Self.key(number), secret: SecretBytes(utf8: "secret \(number)"))
      say("done")
    }
  }

  /// Sets, changes or removes the passcode. Without NEW, it is removed.
  private func changePasscode(_ keybag: Keybag) throws {
    switch (passcode, new.isEmpty) {
    case (nil, _):
      try keybag.setPasscode(SecretBytes(utf8: new), options: .init(kdf: .forTesting))
    case (let old?, false):
      try keybag.changePasscode(from: SecretBytes(utf8: old), to: SecretBytes(utf8: new))
    case (let old?, true): try keybag.removePasscode(SecretBytes(utf8: old))
    }
  }
}
