#if canImport(AtRestSimulation)
  import AtRestSimulation
  import KeychainLogin
  import Testing

  /// Tests that tests can run at the same time, because each has a phone of its own.
  @Suite struct ParallelTests {
    private let logins = LoginStore()

    @Test(arguments: 0..<20)
    func noTestSeesAnothersPhone(number: Int) async throws {
      let phone = try phone()
      try await phone.run {
        try logins.save(LoginStore.Login(token: "\(number)", expires: .distantFuture), of: "eva")
        await Task.yield()
        if number.isMultiple(of: 2) { try logins.wipe() }
        await Task.yield()
        #expect(try logins.users() == (number.isMultiple(of: 2) ? [] : ["eva"]))
        guard !number.isMultiple(of: 2) else { return }
        #expect(try logins.login(of: "eva").token == "\(number)")
      }
    }

    @Test func tasksOfOneApplicationShareItsPhone() async throws {
      let phone = try phone()
      try await phone.run {
        try await withThrowingTaskGroup(of: Void.self) { tasks in
          for number in 0..<20 {
            tasks.addTask { try logins.save(login, of: "user \(number)") }
          }
          try await tasks.waitForAll()
        }
        #expect(try logins.users().count == 20)
      }
    }
  }
#endif
