import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Foundation
import GRDB
import Synchronization
import Testing

/// A process that used a store is searched, by itself, for keys and secrets after the lock and
/// after the close.
@Suite struct MemoryTests {
  private static let classes: [(Accessibility, KeyClass)] = [
    (.whenUnlocked, .whenUnlocked), (.afterFirstUnlock, .afterFirstUnlock),
    (.always, .always), (.whenUnlockedThisDeviceOnly, .whenUnlockedThisDeviceOnly),
    (.whenPasscodeSetThisDeviceOnly, .whenPasscodeSetThisDeviceOnly),
  ]

  @Test func nothingIsLeftAfterLockAndClose() throws {
    let scratch = try Scratch()
    let passcode = RandomBytes.data(count: 32)
    var needles: [(name: String, bytes: Data)] = [("passcode", passcode)]
    let device = RecordingDevice(try FileDeviceKey(in: scratch.device))
    let keybag = try Keybag.create(
      at: scratch.store, device: device, passcode: SecretBytes(passcode),
      options: .init(kdf: .forTesting))
    let keychain = try Keychain.open(keybag, identity: ApplicationIdentity("torture"))
    for (number, (accessibility, _)) in Self.classes.enumerated() {
      for (length, count) in ["short": 16, "middle": 64, "long": 4000] {
        let secret = RandomBytes.data(count: count)
        try keychain.add(
          .genericPassword(service: length, account: "\(number)"),
          secret: SecretBytes(secret), protection: .accessible(accessibility))
        needles.append(("secret.\(accessibility).\(length)", secret.prefix(64)))
      }
    }
    for (_, keyClass) in Self.classes {
      for purpose in ["metadata", "item-wrap"] {
        // Metadata are sealed under a key for each epoch; this store is in its first.
        let epoch = Data(count: purpose == "metadata" ? 8 : 0)
        let key = try keybag.derive(
          Purpose("atrest.keychain.\(purpose).v1"), from: keyClass, context: epoch)
        needles.append(("\(purpose).\(keyClass)", Data(copying: key)))
      }
    }
    needles += try Self.classKeys(scratch, device)
    needles += try Self.itemKeys(scratch, keybag)
    keychain.close()
    keybag.close()

    // In pieces of 16 bytes: a key schedule or a register spilt holds no more than that.
    var lines: [String] = []
    for (name, bytes) in needles {
      for start in stride(from: 0, to: bytes.count, by: 16) {
        let piece = bytes.dropFirst(start).prefix(16)
        let mask = RandomBytes.data(count: piece.count)
        lines.append(
          "\(name)/\(start) \(hex(mask)) \(hex(Data(zip(piece, mask).map { $0 ^ $1 })))")
      }
    }
    let file = scratch.folder.appendingPathComponent("needles")
    try lines.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
    let worker = try Worker("memory", scratch, file.path)
    try worker.send(passcode)
    let (said, signal, status) = worker.finish()
    #expect(signal == 0 && status == 0, "signal \(signal), \(said)")
    var found: [String: [String]] = [:]
    for line in said {
      let words = line.split(separator: " ").map(String.init)
      if words[0] == "found" {
        found[words[1], default: []].append(words[2...].joined(separator: " "))
      }
    }
    print(
      "memory: \(lines.count) needles; found at the start \(found["start"]?.count ?? 0), "
        + "unlocked \(found["unlocked"]?.count ?? 0), locked \(found["locked"]?.count ?? 0), "
        + "closed \(found["closed"]?.count ?? 0), control \(found["control"]?.count ?? 0)")
    if Worker.isFull { print(found) }
    #expect(said.contains("searched closed"))
    #expect(found["start"] == nil)
    // Controls: every needle where it does lie, and what the unlocked store must hold.
    #expect(found["control"]?.count == lines.count)
    for name in ["class.whenUnlocked", "metadata.whenUnlocked", "secret.whenUnlocked.middle"] {
      #expect(found["unlocked"]?.contains { $0.hasPrefix(name) } == true, "\(name)")
    }
    // The passcode is held by the worker itself throughout, once.
    let closed = (found["closed"] ?? []).filter { !$0.hasPrefix("passcode") }
    Self.expectNothing(in: closed)
    // A lock leaves the keys that need none, and those of the first unlock, and nothing else.
    let stay = KeyClass.allCases.filter { $0.availability != .whenUnlocked }
    let locked = (found["locked"] ?? []).filter { line in
      !line.hasPrefix("passcode")
        && !stay.contains { keyClass in
          ["class", "metadata", "item-wrap"].contains { line.hasPrefix("\($0).\(keyClass)/") }
        }
    }
    Self.expectNothing(in: locked)
    let held = (found["locked", default: []] + found["closed", default: []])
      .filter { $0.hasPrefix("passcode") }
    #expect(held.allSatisfy { $0.split(separator: " ")[1] == "1" }, "\(held)")
  }

  /// Pieces of the item that was read last, which optimised builds leave now and then in freed
  /// memory of a thread: half of its class's wrapping key, the end of its secret. See SECURITY.md.
  private static let knownRemainders = [
    "item-wrap.whenPasscodeSetThisDeviceOnly/0 ",
    "secret.whenPasscodeSetThisDeviceOnly.middle/32 ",
    "secret.whenPasscodeSetThisDeviceOnly.middle/48 ",
  ]

  private static func expectNothing(in found: [String]) {
    func isKnown(_ line: String) -> Bool { knownRemainders.contains { line.hasPrefix($0) } }
    // Whatever else is found fails in every build.
    #expect(found.filter { !isKnown($0) } == [])
    #if DEBUG
      #expect(found == [])
    #else
      withKnownIssue("freed memory keeps pieces of the last item", isIntermittent: true) {
        #expect(found == [])
      }
    #endif
  }

  /// The class keys, unwrapped as `docs/Formats.md` says with what the device was seen to give.
  private static func classKeys(
    _ scratch: Scratch, _ device: RecordingDevice
  ) throws -> [(name: String, bytes: Data)] {
    let file = try Data(contentsOf: scratch.store.appendingPathComponent("keybag"))
    let passcodeKey = try #require(device.seen("atrest.passcode-wrap.v1"))
    let deviceKey = try #require(device.seen("atrest.class-d-wrap.v1"))
    var needles = [("passcode-wrap", passcodeKey), ("device-wrap", deviceKey)]
    // The first set begins at 147 with its number and the count of its entries.
    var offset = 152
    for _ in 0..<file[151] {
      let keyClass = try #require(KeyClass(rawValue: file[offset]))
      offset += 9 + (keyClass == .completeUnlessOpen ? 32 : 0)
      let wrapping = keyClass.availability == .always ? deviceKey : passcodeKey
      let key = try WrappingKey(SecretBytes(wrapping))
        .unwrap(file[offset..<offset + 40], name: "\(keyClass)")
      needles.append(("class.\(keyClass)", Data(copying: key)))
      offset += 40
    }
    return needles
  }

  private static func itemKeys(
    _ scratch: Scratch, _ keybag: Keybag
  ) throws -> [(name: String, bytes: Data)] {
    let path = scratch.store.appendingPathComponent("keychain.db").path
    return try DatabaseQueue(path: path).read { database in
      try Row.fetchAll(database, sql: "SELECT id, info, key FROM item").map { row in
        let keyClass = try #require(KeyClass(rawValue: UInt8((row["info"] as Int) >> 8 & 255)))
        let wrapping = try WrappingKey(
          keybag.derive(Purpose("atrest.keychain.item-wrap.v1"), from: keyClass))
        let key = try wrapping.unwrap(row["key"] as Data, name: "item")
        return ("item-key.\(keyClass).\(row["id"] as Int)", Data(copying: key))
      }
    }
  }

  private func hex(_ data: Data) -> String {
    data.map { String(format: "%02x", $0) }.joined()
  }
}

/// A device whose answers are remembered, so that a test can name the keys made of them.
private final class RecordingDevice: DeviceKeyProvider {
  private let device: FileDeviceKey
  private let answers = Mutex<[String: Data]>([:])

  init(_ device: FileDeviceKey) { self.device = device }

  func seen(_ label: String) -> Data? { answers.withLock { $0[label] } }

  func tangle(_ input: borrowing SecretBytes, purpose: Purpose) throws -> SecretBytes {
    let answer = try device.tangle(input, purpose: purpose)
    let copy = Data(copying: answer)
    answers.withLock { $0[purpose.label] = copy }
    return answer
  }
  func recall(_ name: String) throws -> Data? { try device.recall(name) }
  func remember(_ data: Data, as name: String, durably: Bool) throws {
    try device.remember(data, as: name, durably: durably)
  }
  func rememberErasing(_ data: Data, as name: String) throws {
    try device.rememberErasing(data, as: name)
  }
  func exclusively<Result: ~Copyable>(
    _ name: String, _ body: () throws -> Result
  ) throws -> Result {
    try device.exclusively(name, body)
  }
  func forget(_ name: String) throws { try device.forget(name) }
  var risks: [Risk] { device.risks }
}
