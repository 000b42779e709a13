import Foundation
import Testing

/// The commands find the agent of a store that was wiped, which says so and can be ended.
struct WipedStoreCommandTests {
  @Test func theAgentOfAWipedStoreSaysSoAndEnds() throws {
    let run = try AgentRun()
    let atrest = try CommandLineProgram(run)
    #expect(try atrest("agent", "start").status == 0)
    defer { _ = try? atrest("agent", "stop") }
    #expect(try atrest.withPasscode("unlock").status == 0)
    #expect(try atrest("agent").text.contains("unlocked"))
    #expect(try atrest("wipe", "--yes").status == 0)
    let state = try atrest("agent")
    #expect(state.status == 0 && state.text.contains("wiped"), "\(state)")
    for command in [["get", "--service", "mail", "--account", "eva"], ["list"]] {
      let answer = try run.execute(atrest.path, command, with: atrest.values)
      let isNamed = answer.text.contains("wiped") || answer.text.contains("There is no store")
      #expect([1, 3].contains(answer.status) && isNamed, "\(command): \(answer)")
    }
    #expect(try atrest("agent", "stop").status == 0)
    let start = try atrest("agent", "start")
    #expect(start.status == 3 && start.text.contains("There is no store"), "\(start)")
  }
}
