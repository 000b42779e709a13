import AtRestKeychain
import KeychainTesting
import Security
import Synchronization
import Testing

/// Tests that each test and each case has a phone that no other test sees.
@Suite(.phone) struct OwnPhoneTests {
  // A phone that two cases shared would answer the second with a duplicate.
  @Test(arguments: 0..<20) func eachCaseStartsEmpty(number: Int) async throws {
    #expect(Token.read() == errSecItemNotFound)
    await Task.yield()
    try Token.save("\(number)")
    await Task.yield()
    #expect(Token.read() == errSecSuccess)
  }

  @Test func childTasksShareThePhoneOfTheirTest() async throws {
    let device = try SimulatedDevice.current
    try await withThrowingTaskGroup(of: Bool.self) { tasks in
      for _ in 0..<4 { tasks.addTask { try SimulatedDevice.current === device } }
      for try await isSame in tasks { #expect(isSame) }
    }
  }

  @Suite(.given { try Token.save() }) struct Nested {
    @Test func aNestedSuiteAddsToThePhone() { #expect(Token.read() == errSecSuccess) }
    @Test(.phone) func anotherPhoneTakesItsPlace() { #expect(Token.read() == errSecItemNotFound) }
  }

  @Suite(.serialized) struct Serialized {
    private static let former = Mutex<SimulatedDevice?>(nil)
    /// The second case fails if the first one left its phone.
    @Test(arguments: 0..<2) func aSerializedSuiteDoesNotShareOne(number: Int) throws {
      let device = try SimulatedDevice.current
      let former = Self.former.withLock { former in
        defer { former = device }
        return former
      }
      #expect(former !== device)
    }
  }
}
