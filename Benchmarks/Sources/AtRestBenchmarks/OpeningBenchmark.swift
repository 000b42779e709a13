import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Foundation

extension AtRestBenchmarks {
  mutating func opening(in place: URL) throws {
    let open = try Store(making: place.appendingPathComponent("open"))
    try open.add((0..<1_000).map(Sample.key))
    open.keychain.close()
    let opening = try (0..<31).map { _ in
      var opened: Keychain?
      let time = try microseconds { opened = try open.reopened() }
      opened?.close()
      return time / 1_000
    }
    let passcode = SecretBytes(utf8: "correct horse battery staple")
    let guarded = try Store(
      // atrest:ignore hardcoded-credential of a store that is measured and thrown away
      making: place.appendingPathComponent("passcode"), passcode: "correct horse battery staple")
    let keybag = guarded.keychain.keybag
    var locking: [Double] = []
    let unlocking = try (0..<5).map { _ in
      locking.append(microseconds { keybag.lock() })
      return try microseconds { try keybag.unlock(passcode: passcode) } / 1_000
    }
    let deriving = try (0..<5).map { _ in
      try microseconds {
        // atrest:ignore static-salt the key is measured and used for nothing
        _ = try keybag.kdf.deriveKey(from: passcode, salt: Data(count: 16)).count
      } / 1_000
    }
    guarded.keychain.close()
    report.table(
      "Opening and unlocking", ["what", "median"],
      [
        ["open keybag and keychain, no passcode", "\(opening.median.rounded(1)) ms"],
        ["derive the passcode key, \(keybag.kdf)", "\(deriving.median.rounded(0)) ms"],
        ["unlock with the default KDF", "\(unlocking.median.rounded(0)) ms"],
        ["lock", "\(locking.median.rounded(1)) µs"],
      ])
  }
}
