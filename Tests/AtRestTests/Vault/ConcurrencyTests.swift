import AtRest
import Foundation
import Testing

/// One vault is used from many tasks at once. `make race` runs this under the thread sanitizer.
@Suite struct VaultConcurrencyTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["ATREST_RACE_CALLS"].flatMap { Int($0) }.map { $0 / 400 }
    ?? 6

  @Test func accountsDoNotMix() async throws {
    let test = try TestVault()
    let vault = try test.open()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<6 {
        group.addTask {
          let account = try vault.logIn("account \(task)")
          for round in 0..<Self.rounds {
            let text = "\(task) \(round)"
            let report = Data(repeating: UInt8(task), count: 9_000 + round)
            try account.store(text, in: .note)
            try account.store(report, in: .report)
            #expect(try account.value(in: .note) == text)
            #expect(try account.value(in: .report) == report)
            if round % 3 == 2 { try account.remove(VaultRecord<Data>.report) }
          }
          try account.logOut()
        }
      }
      try await group.waitForAll()
    }
    #expect(test.valueFiles == [])
  }

  @Test func noChangeOfARecordIsLost() async throws {
    let test = try TestVault()
    let vault = try test.open()
    try await vault.logIn("eva").store("0", in: .note)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<6 {
        group.addTask {
          for _ in 0..<Self.rounds {
            try vault.logIn("eva").update(.note, default: "") { $0 = "\((Int($0) ?? -1) + 1)" }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await vault.logIn("eva").value(in: .note) == "\(6 * Self.rounds)")
  }

  @Test func lockingInBetweenNeverGivesAWrongAnswer() async throws {
    let test = try TestVault()
    let (vault, device) = (try test.open(), test.device)
    try await vault.logIn("eva").store("text", in: .note)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for _ in 0..<Self.rounds {
          device.lock()
          try device.unlock()
        }
      }
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<(4 * Self.rounds) {
            switch Result(catching: { try vault.logIn("eva").value(in: .note) }) {
            case .success(let text): #expect(text == "text")
            case .failure(let error): #expect((error as? AtRestError)?.code == .locked)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await vault.logIn("eva").value(in: .note) == "text")
  }

  @Test func redactionKeepsUpWithRegistrations() async throws {
    let registry = SecretRegistry()
    let redactor = Redactor(secrets: registry)
    try registry.register("a secret that always stays")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<6 {
        group.addTask {
          for round in 0..<(4 * Self.rounds) {
            let secret = "token-\(task)-\(round)-abcdefgh"
            try registry.register(secret)
            let text = redactor.redact("\(secret) and a secret that always stays")
            #expect(!text.contains(secret))
            #expect(!text.contains("always"))
            registry.unregister(secret)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(registry.count == 1)
  }
}
