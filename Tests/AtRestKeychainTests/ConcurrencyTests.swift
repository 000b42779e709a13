import AtRestCrypto
import AtRestKeychain
import AtRestSimulation
import Testing

/// One keychain is used from many tasks at once.
@Suite struct ConcurrencyTests {
  @Test func nothingIsLostAmongTasks() async throws {
    let keychain = try SimulatedDevice().keychain()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for number in 0..<40 {
            let key = password("\(task)-\(number)")
            try keychain.put(key, "\(task) \(number)")
            #expect(try keychain.text(key) == "\(task) \(number)")
            if number.isMultiple(of: 4) { try keychain.delete(key) }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await keychain.background { try $0.count() } == 8 * 30)
  }

  @Test func aCounterInTransactionsLosesNoStep() async throws {
    let keychain = try SimulatedDevice().keychain()
    try keychain.put(password(), "0")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<25 {
            try keychain.transaction {
              let value = Int(try keychain.text(password()) ?? "") ?? -1
              try keychain.change(password(), "\(value + 1)")
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try keychain.text(password()) == "200")
  }

  @Test func onlyOneOfManyMakesTheItem() async throws {
    let keychain = try SimulatedDevice().keychain()
    let secrets = try await withThrowingTaskGroup(of: String.self) { group in
      for task in 0..<8 {
        group.addTask {
          let secret = try keychain.getOrCreate(password()) { SecretBytes(utf8: "\(task)") }
          return String(copying: secret) ?? ""
        }
      }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(secrets.count == 1)
  }

  @Test func lockingInBetweenNeverGivesAWrongAnswer() async throws {
    let device = try SimulatedDevice(passcode: "1234")
    let keychain = try device.keychain()
    try keychain.put(password())
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for _ in 0..<50 {
          device.lock()
          try device.unlock()
        }
      }
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<200 {
            switch Result(catching: { try keychain.text(password()) }) {
            case .success(let text): #expect(text == "s3cr3t")
            case .failure(let error): #expect((error as? AtRestError)?.code == .locked)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try keychain.text(password()) == "s3cr3t")
  }
}
