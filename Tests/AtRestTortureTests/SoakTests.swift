import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Foundation
import Testing

/// Four processes of eight threads increment counters in one store. No increment is lost, no thread
/// waits forever, and nothing fails.
@Suite struct SoakTests {
  private static let counters = 16

  @Test func noUpdateIsLost() throws {
    let seconds = Worker.isFull ? 30 : 5
    let scratch = try Scratch()
    #expect(try Worker("make", scratch).finish().status == 0)
    try Self.open(scratch) { keychain in
      for counter in 0..<Self.counters {
        try keychain.add(Self.key(counter), secret: SecretBytes(utf8: "0"))
      }
    }
    let workers = try (0..<4).map { number in
      try Worker(
        "soak", scratch, "8", "\(seconds)", "\(Self.counters)",
        number == 0 ? "changer" : "verifier")
    }
    var increments = Array(repeating: 0, count: Self.counters)
    var reads = 0
    var passcodes = 0
    for worker in workers {
      let (lines, signal, status) = worker.finish()
      #expect(signal == 0 && status == 0, "signal \(signal), \(lines)")
      for line in lines {
        let words = line.split(separator: " ").map(String.init)
        switch words[0] {
        case "counter": increments[Int(words[1])!] += Int(words[2])!
        case "reads": reads += Int(words[1])!
        case "passcodes": passcodes += Int(words[1])!
        default: Issue.record("\(line)")
        }
      }
    }
    try Self.open(scratch) { keychain in
      for counter in 0..<Self.counters {
        let text = String(copying: try keychain.secret(for: Self.key(counter))) ?? ""
        #expect(Int(text) == increments[counter])
      }
    }
    let total = increments.reduce(0, +)
    #expect(total > 0 && reads > 0 && passcodes > 0)
    print(
      "soak: \(seconds) s, 4 processes of 8 threads: \(total) increments, \(reads) reads, "
        + "\(passcodes) passcode changes and checks")
  }

  private static func key(_ counter: Int) -> PrimaryKey {
    .genericPassword(service: "counter", account: "\(counter)")
  }

  private static func open(_ scratch: Scratch, _ body: (Keychain) throws -> Void) throws {
    let keybag = try Keybag.open(
      at: scratch.store, device: FileDeviceKey.openOrCreate(in: scratch.device))
    try keybag.unlock(passcode: SecretBytes(utf8: "correct horse battery"))
    let keychain = try Keychain.open(keybag, identity: ApplicationIdentity("torture"))
    try body(keychain)
    keychain.close()
    keybag.close()
  }
}
