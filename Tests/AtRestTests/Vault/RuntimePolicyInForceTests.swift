import AtRest
import Foundation
import Synchronization
import Testing

@Suite struct RuntimePolicyInForceTests {
  private final class Switch: Sendable {
    let isTraced = Mutex(false)
    func set(_ value: Bool) { isTraced.withLock { $0 = value } }
  }

  private func test(_ response: RuntimePolicy.Response) throws -> (TestVault, Switch) {
    let test = try TestVault()
    let debugger = Switch()
    test.options.environment = RuntimeEnvironment(platform: .mac)
    test.options.environment.isTraced = { debugger.isTraced.withLock { $0 } }
    test.options.runtimePolicy = RuntimePolicy([.debugger: response])
    test.options.runtimeInterval = .zero
    return (test, debugger)
  }

  @Test func refusesAsLongAsADebuggerIsThere() throws {
    let (test, debugger) = try test(.refuse)
    let eva = try test.open().logIn("eva")
    try eva.store("text", in: .note)
    debugger.set(true)
    expect(.notPermitted) { _ = try eva.value(in: .note) }
    expect(.notPermitted) { try eva.store("other", in: .note) }
    expect(.notPermitted) { _ = try test.open() }
    debugger.set(false)
    #expect(try eva.value(in: .note) == "text")
  }

  @Test func refusesPreferencesThatWereRead() throws {
    let (test, debugger) = try test(.refuse)
    let preferences = try test.open().logIn("eva").preferences
    try preferences.set("dark", forKey: "theme")
    #expect(try preferences.string(forKey: "theme") == "dark")
    debugger.set(true)
    expect(.notPermitted) { _ = try preferences.string(forKey: "theme") }
    debugger.set(false)
    #expect(try preferences.string(forKey: "theme") == "dark")
  }

  @Test func locksTheStore() throws {
    let (test, debugger) = try test(.lock)
    let eva = try test.open().logIn("eva")
    try eva.store("text", in: .note)
    debugger.set(true)
    expect(.notPermitted) { _ = try eva.value(in: .note) }
    debugger.set(false)
    expect(.locked) { _ = try eva.value(in: .note) }
    try test.device.unlock()
    #expect(try eva.value(in: .note) == "text")
  }

  @Test func wipesEverything() throws {
    let (test, debugger) = try test(.wipe)
    let eva = try test.open().logIn("eva")
    try eva.store("text", in: .note)
    try eva.store(Data(count: 20_000), in: .report)
    debugger.set(true)
    expect(.notPermitted) { _ = try eva.value(in: .note) }
    debugger.set(false)
    expect(.wiped) { _ = try eva.value(in: .note) }
    #expect(test.valueFiles.isEmpty)
    #expect(try test.open().launch == .first)
  }

  @Test func onlyReportsWhereNothingElseIsSaid() throws {
    let (test, debugger) = try test(.report)
    debugger.set(true)
    let vault = try test.open()
    try vault.device.store("text", in: .note)
    #expect(try vault.checkRuntime().findings(of: .debugger).map(\.outcome) == [.found])
    #expect(vault.risks.contains { $0.id == "debugger-attached" })
    debugger.set(false)
    #expect(!vault.risks.contains { $0.id == "debugger-attached" })
  }

  @Test func tellsThatThereIsNoPasscode() throws {
    let test = try TestVault(passcode: nil)
    let risks = try test.open().risks
    #expect(risks.contains { $0.id == "no-passcode" })
    #expect(risks.allSatisfy { !$0.message.isEmpty && !$0.remedy.isEmpty })
    #expect(Set(risks.map(\.id)).count == risks.count)
  }
}
