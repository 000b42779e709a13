import AtRest
import Testing

@Suite struct UpdateValueTests {
  private let list = VaultRecord<[Int]>("list", .document)

  @Test func givesTheDefaultOnlyWhereThereIsNone() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    #expect(try eva.value(in: list, default: [7]) == [7])
    try eva.store([1], in: list)
    #expect(try eva.value(in: list, default: [7]) == [1])
    test.device.lock()
    expect(.locked) { _ = try eva.value(in: list, default: [7]) }
    try test.device.unlock()
    try eva.logOut()
    expect(.loggedOut) { _ = try eva.value(in: list, default: [7]) }
  }

  @Test func losesNoChangeOfTasks() async throws {
    let test = try TestVault()
    let eva = try await test.open().logIn("eva")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask { try await eva.update(list, default: []) { $0.append(number) } }
      }
      try await group.waitForAll()
    }
    #expect(try await eva.value(in: list).sorted() == Array(0..<20))
  }

  @Test func changesNothingWhereTheBodyFails() throws {
    struct Failure: Error {}
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    try eva.store([1], in: list)
    #expect(throws: Failure.self) {
      try eva.update(list, default: []) {
        $0.append(2)
        throw Failure()
      }
    }
    #expect(try eva.value(in: list) == [1])
  }
}
