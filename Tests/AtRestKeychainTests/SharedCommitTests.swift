import AtRestCrypto
import AtRestKeychain
import Foundation
import Testing

/// Threads that write at the same time share transactions, and each has its own result.
@Suite struct SharedCommitTests {
  private static let threads = 8
  private static let calls = 60

  /// Runs a closure on several threads, with the number of the thread.
  private static func crowd(_ body: @escaping @Sendable (Int) -> Void) async {
    await withCheckedContinuation { continuation in
      let group = DispatchGroup()
      for number in 0..<threads {
        group.enter()
        Thread.detachNewThread {
          body(number)
          group.leave()
        }
      }
      group.notify(queue: .global()) { continuation.resume() }
    }
  }

  @Test func manyCallsTakeFewTransactions() async throws {
    let store = try DiskStore()
    let keychain = store.keychain
    // Control: calls of one thread have a transaction each.
    let before = try store.lastChange()
    for number in 0..<20 { try keychain.put(password("alone \(number)")) }
    let alone = try store.lastChange()
    #expect(alone - before == 20)
    await Self.crowd { thread in
      for call in 0..<Self.calls {
        #expect(throws: Never.self) { try keychain.put(password("\(thread) \(call)")) }
      }
    }
    #expect(try store.lastChange() - alone < Self.threads * Self.calls)
    #expect(try keychain.count() == 20 + Self.threads * Self.calls)
    #expect(try keychain.verify().problems.isEmpty)
  }

  @Test func aCallThatFailsIsUndoneAlone() async throws {
    let store = try DiskStore()
    let keychain = store.keychain
    await Self.crowd { thread in
      for call in 0..<Self.calls {
        // Each of the others is refused, between calls that are not.
        let refused = refusal { try keychain.put(password("shared \(call)"), "\(thread)") }
        #expect(refused == nil || refused == .duplicate)
        #expect(throws: Never.self) {
          try keychain.put(password("\(thread) \(call)"), refused == nil ? "first" : "later")
        }
      }
    }
    try Self.check(keychain)
  }

  private static func check(_ keychain: Keychain) throws {
    for call in 0..<calls {
      let first = try #require(try keychain.text(password("shared \(call)")))
      for thread in 0..<threads {
        let expected = "\(thread)" == first ? "first" : "later"
        #expect(try keychain.text(password("\(thread) \(call)")) == expected)
      }
    }
    #expect(try keychain.count() == (threads + 1) * calls)
    #expect(try keychain.verify().problems.isEmpty)
  }

  @Test func aReaderSeesOnlyWhatWasAnswered() async throws {
    let store = try DiskStore()
    let keychain = store.keychain
    let other = try Self.opened(store)
    defer { other.close() }
    await Self.crowd { thread in
      for call in 0..<Self.calls {
        if thread.isMultiple(of: 2) {
          #expect(throws: Never.self) { try keychain.put(password("\(thread) \(call)")) }
          // Another connection sees what is durable.
          #expect(throws: Never.self) { try other.text(password("\(thread) \(call)")) }
        } else {
          let seen = Result { try keychain.count() }
          let durable = Result { try other.count() }
          #expect(throws: Never.self) {
            let (seen, durable) = try (seen.get(), durable.get())
            #expect(seen <= durable)
          }
        }
      }
    }
  }

  private static func opened(_ store: DiskStore) throws -> Keychain {
    try Keychain.open(store.keybag, identity: ApplicationIdentity("com.example.app"))
  }

  @Test func aTransactionOfTheCallerIsAlone() async throws {
    let store = try DiskStore()
    let keychain = store.keychain
    await Self.crowd { thread in
      for call in 0..<Self.calls {
        #expect(throws: Cancelled.self) {
          try keychain.transaction {
            try keychain.put(password("\(thread) \(call)"))
            throw Cancelled()
          }
        }
        #expect(throws: Never.self) { try keychain.put(password("\(thread) \(call)")) }
      }
    }
    #expect(try keychain.count() == Self.threads * Self.calls)
  }

  private struct Cancelled: Error {}
}

extension DiskStore {
  /// The number of the last transaction that the device remembers.
  fileprivate func lastChange() throws -> Int {
    let device = storeFolder.deletingLastPathComponent().appendingPathComponent("device")
    let files = try FileManager.default.contentsOfDirectory(
      at: device, includingPropertiesForKeys: nil)
    let counter = try #require(files.first { $0.pathExtension == "counter" })
    return try Data(contentsOf: counter).prefix(8).reduce(0) { $0 << 8 | Int($1) }
  }
}
