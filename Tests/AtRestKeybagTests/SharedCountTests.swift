import AtRestCrypto
import AtRestKeybag
import Foundation
import Testing

/// Copies of a store's folder share the count that the device keeps.
@Suite struct SharedCountTests {
  private struct Copies: Sendable {
    let folder = TemporaryFolder()
    let stores: [URL]
    let device: URL

    init(_ count: Int, attemptLimit: UInt16) throws {
      device = folder.url.appendingPathComponent("device")
      let first = folder.url.appendingPathComponent("store")
      _ = try Keybag.create(
        at: first, device: FileDeviceKey.openOrCreate(in: device),
        passcode: SecretBytes(utf8: "1234"),
        options: .forTesting(attemptLimit: attemptLimit))
      stores = try (0..<count).map { number in
        let copy = first.deletingLastPathComponent().appendingPathComponent("copy-\(number)")
        try FileManager.default.copyItem(at: first, to: copy)
        return copy
      }
    }

    func open(_ store: URL) throws -> Keybag {
      try Keybag.open(at: store, device: FileDeviceKey.openOrCreate(in: device))
    }
  }

  /// Makes attempts through all copies at the same time.
  private func guess(_ copies: Copies) async -> [AtRestError.Code?] {
    await withTaskGroup(of: AtRestError.Code?.self) { group in
      for store in copies.stores {
        group.addTask { refusal { try copies.open(store).unlock("x") } }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
  }

  @Test func guessesThroughCopiesAreAllCounted() async throws {
    let copies = try Copies(12, attemptLimit: 0)
    let codes = await guess(copies)
    // The fifth attempt starts a delay, during which no other attempt is made.
    #expect(codes.count { $0 == .authenticationFailed } == 5)
    #expect(codes.count { $0 == .throttled } == 7)
    #expect(try copies.open(copies.stores[0]).failedAttempts() == 5)
  }

  @Test func guessesThroughCopiesReachTheLimit() async throws {
    let copies = try Copies(12, attemptLimit: 4)
    let codes = await guess(copies)
    #expect(codes.count { $0 == .authenticationFailed } == 3)
    #expect(codes.count { $0 == .wiped } == 9)
    for store in copies.stores {
      #expect(refusal { try copies.open(store).unlock("1234") } == .wiped || !exists(store))
    }
  }

  @Test func belowTheLimitEveryCopyOpens() async throws {
    let copies = try Copies(3, attemptLimit: 4)
    #expect(await guess(copies).allSatisfy { $0 == .authenticationFailed })
    try copies.open(copies.stores[0]).unlock("1234")
  }

  @Test func aWipeThroughOneCopyWipesAll() throws {
    let copies = try Copies(2, attemptLimit: 0)
    try copies.open(copies.stores[0]).wipe()
    #expect(refusal { try copies.open(copies.stores[1]) } == .wiped)
  }

  @Test func aChangeThroughOneCopyRetiresTheOthers() throws {
    let copies = try Copies(2, attemptLimit: 0)
    try copies.open(copies.stores[0]).change("1234", "5678")
    #expect(refusal { try copies.open(copies.stores[1]) } == .rolledBack)
    try copies.open(copies.stores[0]).unlock("5678")
  }

  private func exists(_ store: URL) -> Bool {
    FileManager.default.fileExists(atPath: store.appendingPathComponent("keybag").path)
  }
}
