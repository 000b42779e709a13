import AtRestCrypto
import AtRestKeybag
import Foundation
import Testing

/// No error contains a passcode or a key.
@Suite struct ErrorTests {
  @Test func noErrorShowsWhatIsSecret() throws {
    let passcode = "paSScode-1234"
    let guess = "gueSS-5678"
    let store = try MemoryStore(passcode: passcode, attemptLimit: 20)
    let keybag = try #require(try store.storage.read("keybag"))
    var errors: [any Error] = []
    func collect<Result>(_ body: () throws -> Result) {
      do { _ = try body() } catch { errors.append(error) }
    }
    func collectOpening(_ name: String, _ data: Data) throws {
      let whole = try store.storage.read(name)!
      try store.storage.replace(name, with: data)
      collect { try store.open().lockState }
      try store.storage.replace(name, with: whole)
    }
    let key = SecretBytes.random(count: 32)
    let wrapped = try store.keybag.wrap(key, under: .complete)
    collect { try store.keybag.unlock(guess) }
    collect { try store.keybag.change(guess, passcode) }
    collect { try store.keybag.remove(guess) }
    collect { try store.keybag.set(guess) }
    collect { try store.keybag.unlock() }
    collect { try store.keybag.change(passcode, "") }
    collect { try store.keybag.unwrap(wrapped, under: .noProtection, name: "key").count }
    collect { try store.keybag.unwrap(wrapped.dropLast(), under: .complete, name: "key").count }
    for index in keybag.indices {
      var flipped = keybag
      flipped[index] ^= 1
      try collectOpening("keybag", flipped)
    }
    for count in 0..<keybag.count { try collectOpening("keybag", keybag.prefix(count)) }
    collect { try Keybag.open(in: store.storage, device: MemoryDeviceKey()) }
    store.keybag.lock()
    collect { try store.keybag.wrap(key, under: .complete) }
    for _ in 0..<2 { collect { try store.keybag.unlock(guess) } }
    collect { try store.keybag.unlock(passcode) }
    try store.keybag.wipe()
    collect { try store.keybag.unlock(passcode) }
    #expect(errors.count == 14 + 2 * keybag.count)

    // The store's share of the effaceable key follows the header.
    let secrets = [
      Data(passcode.utf8), Data(guess.utf8), Data(copying: key), keybag[42..<74], wrapped,
    ]
    let forms = secrets.flatMap { secret in
      [
        secret.base64EncodedString(), secret.map { String(format: "%02x", $0) }.joined(),
        String(decoding: secret, as: UTF8.self),
      ]
    }.map { $0.lowercased() }
    for error in errors {
      let words = "\(error) \(String(reflecting: error))".lowercased()
      for form in forms { #expect(!words.contains(form)) }
      if let error = error as? AtRestError {
        #expect(!error.message.isEmpty && !error.remedy.isEmpty)
      }
    }
    print("\(errors.count) errors looked at")
  }
}
