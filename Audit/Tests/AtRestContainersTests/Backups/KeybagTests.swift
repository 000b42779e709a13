import AtRestContainers
import AtRestCrypto
import Crypto
import Foundation
import Testing

/// Keybags of backups, which are made from the description of the format, intact and changed.
@Suite struct KeybagTests {
  private let maker = KeybagMaker()
  private let fileKey = SymmetricKey(data: Data(repeating: 0xC3, count: 32))

  private func unlock(_ bytes: Data, _ password: String? = nil) throws -> AppleBackupKeys {
    try AppleBackupKeybag(bytes).unlock(password: SecretBytes(utf8: password ?? maker.password))
  }

  @Test func fileKeysUnwrap() throws {
    let keys = try unlock(maker.bytes())
    #expect(keys.classes == [1, 2, 3, 4, 5, 6, 7, 8])
    #expect(keys.damagedClasses == [])
    #expect(keys.deviceClasses == [9, 10, 11])
    let key = try keys.unwrap(maker.wrap(fileKey, class: 3), class: 3, name: "a")
    #expect(key.withUnsafeBytes { Data($0) } == fileKey.withUnsafeBytes { Data($0) })
  }

  @Test func boundToTheDevice() throws {
    let keys = try unlock(maker.bytes())
    let wrapped = try maker.wrap(fileKey, class: 9)
    let error = #expect(throws: AtRestError.self) {
      try keys.unwrap(wrapped, class: 9, name: "a")
    }
    #expect(error?.code == .notPermitted)
  }

  @Test func anotherClassDoesNotUnwrap() throws {
    let keys = try unlock(maker.bytes())
    let wrapped = try maker.wrap(fileKey, class: 3)
    for number: UInt32 in [1, 4, 15] {
      let error = #expect(throws: AtRestError.self) {
        try keys.unwrap(wrapped, class: number, name: "a")
      }
      #expect(error?.code == .damaged)
    }
  }

  @Test func aDamagedClassKeyIsNoWrongPassword() throws {
    var bytes = try maker.bytes()
    // The file ends with the key of class 11, and each class takes 108 bytes. This changes the key
    // of class 6.
    bytes[bytes.count - 1 - 5 * 108] ^= 1
    let keys = try unlock(bytes)
    #expect(keys.damagedClasses == [6])
    #expect(keys.classes == [1, 2, 3, 4, 5, 7, 8])
    let wrapped = try maker.wrap(fileKey, class: 6)
    let error = #expect(throws: AtRestError.self) {
      try keys.unwrap(wrapped, class: 6, name: "a")
    }
    #expect(error?.code == .damaged)
  }

  @Test(arguments: [("ITER", 1_000_001), ("DPIC", 20_000_001), ("ITER", 0), ("DPIC", 0)])
  func hostileRounds(tag: String, rounds: Int) throws {
    var bytes = try maker.bytes()
    let place = try #require(bytes.range(of: Data(tag.utf8)))
    let number = withUnsafeBytes(of: UInt32(rounds).bigEndian) { Data($0) }
    bytes.replaceSubrange(place.upperBound + 4..<place.upperBound + 8, with: number)
    let error = #expect(throws: AtRestError.self) { try AppleBackupKeybag(bytes) }
    #expect(error?.code == .damaged)
  }

  @Test func whatIsNoKeybag() throws {
    for bytes in [Data(), Data(count: 7), Data(count: 200), try maker.bytes().dropLast()] {
      #expect(throws: AtRestError.self) { try AppleBackupKeybag(bytes) }
    }
  }

  /// If one bit in any byte of a keybag is changed, the keys are the right ones or opening fails.
  @Test func noChangeGivesAnotherKey() throws {
    let bytes = try maker.bytes()
    let wrapped = try maker.wrap(fileKey, class: 3)
    let expected = fileKey.withUnsafeBytes { Data($0) }
    for index in bytes.indices {
      var changed = bytes
      changed[index] ^= 1 << (index % 8)
      guard let keybag = try? AppleBackupKeybag(changed), !isSlow(changed),
        let keys = try? keybag.unlock(password: SecretBytes(utf8: maker.password)),
        let key = try? keys.unwrap(wrapped, class: 3, name: "a")
      else { continue }
      #expect(key.withUnsafeBytes { Data($0) } == expected)
    }
  }

  /// Returns true if the changed bit made the number of rounds large, within the allowed limits.
  private func isSlow(_ bytes: Data) -> Bool {
    ["ITER", "DPIC"].contains { tag in
      guard let place = bytes.range(of: Data(tag.utf8)), place.upperBound + 8 <= bytes.count else {
        return false
      }
      return bytes[place.upperBound + 4..<place.upperBound + 8].reduce(0) { $0 << 8 | Int($1) }
        > 10_000
    }
  }

  @Test func mutations() throws {
    let bytes = try maker.bytes()
    var random = SplitMix(state: 20_261_121)
    for _ in 0..<4000 {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...6, using: &random) where !changed.isEmpty {
        let place = Int.random(in: 0..<changed.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: changed[place] = UInt8.random(in: 0...255, using: &random)
        case 1: changed = Data(changed.prefix(place))
        case 2: changed.insert(contentsOf: [0xFF, 0xFF, 0xFF, 0xFF], at: place)
        default: changed.removeSubrange(place..<min(changed.count, place + 9))
        }
      }
      _ = try? AppleBackupKeybag(changed)
    }
  }
}
