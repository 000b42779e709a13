import AtRestCrypto
import AtRestKeychain
import AtRestSimulation
import Foundation
import Testing

/// Backups whose header demands more work than any machine should do for an untrusted file.
@Suite struct HostileBackupTests {
  private static let phrase = "four words of my own"
  /// The position of the KDF's parameters in the file.
  private static let cost = 38..<51

  private let keychain: Keychain
  private let key = PrimaryKey.genericPassword(service: "s", account: "a", group: "g")
  private let file = FileManager.default.temporaryDirectory
    .appendingPathComponent("atrest-\(UUID().uuidString).backup")

  init() throws {
    keychain = try SimulatedDevice().keychain(as: .owner())
    try keychain.add(key, secret: SecretBytes(utf8: "secret"))
  }

  private func error(_ body: () throws -> Void) -> AtRestError? {
    do {
      try body()
      return nil
    } catch { return error as? AtRestError }
  }

  /// Returns the error of restoring a backup with other parameters in its header.
  private func refusal(_ function: UInt8, _ numbers: [UInt32]) throws -> AtRestError? {
    defer { try? FileManager.default.removeItem(at: file) }
    try keychain.backup(
      to: file, passphrase: SecretBytes(utf8: Self.phrase), kdf: .forTesting)
    var contents = try Data(contentsOf: file)
    var parameters = Data([function])
    for number in numbers {
      parameters += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
    contents.replaceSubrange(Self.cost, with: parameters)
    try contents.write(to: file)
    return error {
      _ = try keychain.restore(
        from: file, passphrase: SecretBytes(utf8: Self.phrase), conflicts: .keep)
    }
  }

  /// Refused as damaged. A derivation would end with a wrong passphrase, after minutes or without
  /// enough memory.
  @Test(
    arguments: [
      (1, [22, 32, 16]), (1, [22, 8, 16]), (1, [22, 8, 1]), (1, [21, 8, 1]), (1, [20, 8, 2]),
      (1, [17, 8, 16]), (1, [20, 32, 1]), (2, [100_000_000, 0, 0]), (2, [10_000_001, 0, 0]),
      (3, [10_000_001, 0, 0]), (1, [63, 8, 1]), (1, [.max, .max, .max]),
    ] as [(UInt8, [UInt32])])
  func aHeadThatDemandsTooMuchIsRefused(_ function: UInt8, _ numbers: [UInt32]) throws {
    let error = try #require(try refusal(function, numbers))
    #expect(error.code == .damaged)
    let named = function == 1 ? "N=2^\(numbers[0])" : "\(numbers[0]) rounds"
    #expect(error.message.contains(named))
  }

  /// Control: a cost that is allowed but differs from that of the backup.
  @Test func aHeadThatDemandsLessIsTried() throws {
    #expect(try refusal(1, [5, 8, 1])?.code == .authenticationFailed)
  }

  /// Control: the header as it was written.
  @Test func aGenuineHeadIsRestored() throws {
    #expect(try refusal(1, [4, 8, 1]) == nil)
  }

  @Test func noBackupIsMadeThatCouldNotBeRestored() throws {
    let refused = error {
      _ = try keychain.backup(
        to: file, passphrase: SecretBytes(utf8: Self.phrase), kdf: .scrypt(logN: 21))
    }
    #expect(refused?.code == .invalidArgument)
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }
}
