import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Crypto
import Foundation

/// Adds, updates and deletes items and changes the passcode until it is killed.
///
/// The command is `churn STORE DEVICE SEED PASSCODE`. It writes `do N VERB NAME VALUE` before each
/// write and `done N` after it returned. VALUE is the SHA-256 of the secret, or the new passcode.
struct Churn {
  private let store: Store
  private var generator: SplitMix
  private var passcode: String

  init(_ store: Store, _ arguments: [String]) throws {
    guard arguments.count == 2, let seed = UInt64(arguments[0]) else {
      throw Unusable("churn STORE DEVICE SEED PASSCODE")
    }
    self.store = store
    generator = SplitMix(seed)
    passcode = arguments[1]
  }

  mutating func run() throws {
    let keybag = try store.keybag()
    try keybag.unlock(passcode: SecretBytes(utf8: passcode))
    let keychain = try Keychain.open(keybag, identity: Store.identity)
    say("ready")
    for number in 0... {
      let choice = generator.below(100)
      let name = "\(generator.below(40))"
      let key = PrimaryKey.genericPassword(service: "s\(generator.below(3))", account: name)
      let label = "\(key.attributes.service ?? "")/\(name)"
      switch choice {
      case ..<6:
        let new = "passcode \(generator.next())"
        say("do \(number) passcode - \(new)")
        try keybag.changePasscode(
          from: SecretBytes(utf8: passcode), to: SecretBytes(utf8: new))
        passcode = new
      case ..<30:
        say("do \(number) delete \(label) -")
        do { try keychain.delete(key) } catch AtRestError.Code.notFound {}
      case ..<40:
        // Two items in one transaction: both are stored, or none.
        let other = PrimaryKey.genericPassword(service: "pair", account: name)
        let secret = value()
        say("do \(number) pair \(label) \(hash(secret)) pair/\(name)")
        try keychain.transaction {
          try keychain.set(key, secret: secret)
          try keychain.set(other, secret: secret)
        }
      default:
        let secret = value()
        say("do \(number) set \(label) \(hash(secret))")
        try keychain.set(
          key, secret: secret,
          protection: generator.below(2) == 0 ? .whenUnlocked : .accessible(.afterFirstUnlock))
      }
      say("done \(number)")
    }
  }

  private mutating func value() -> SecretBytes {
    // Some secrets take up several pages.
    .random(count: 1 + generator.below(generator.below(8) == 0 ? 20_000 : 300))
  }

  private func hash(_ secret: borrowing SecretBytes) -> String {
    secret.withUnsafeBytes {
      SHA256.hash(data: $0).map { String(format: "%02x", $0) }.joined()
    }
  }
}

/// A small generator that a seed reproduces (Steele, Lea, Flood 2014).
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = state
    word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
    return word ^ (word >> 31)
  }
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
