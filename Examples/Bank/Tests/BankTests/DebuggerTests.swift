import AtRest
import Bank
import Foundation
import Synchronization
import Testing

@Suite struct DebuggerTests {
  /// A debugger that can attach and detach.
  private final class Debugger: Sendable {
    let isAttached = Mutex(false)
    func attach(_ value: Bool = true) { isAttached.withLock { $0 = value } }
  }

  private func phone(_ policy: RuntimePolicy) throws -> (Phone, Debugger) {
    let (phone, debugger) = (try Phone(), Debugger())
    phone.options.runtimePolicy = policy
    phone.options.runtimeInterval = .zero
    phone.options.environment = RuntimeEnvironment(platform: .mac)
    phone.options.environment.isTraced = { debugger.isAttached.withLock { $0 } }
    return (phone, debugger)
  }

  @Test func whoAttachesADebuggerFindsTheStoreLocked() async throws {
    let (phone, debugger) = try phone(.standard)
    let eva = try await phone.eva()
    #expect(try await eva.statements().count == 2)
    debugger.attach()
    await expect(.notPermitted) { _ = try eva.card(ending: "5556") }
    await expect(.notPermitted) { _ = try phone.bank() }
    debugger.attach(false)
    await expect(.locked) { _ = try await eva.statements() }
    try phone.device.unlock()
    #expect(try await eva.statements().count == 2)
  }

  /// Control: under the policy for developers, the debugger is only reported.
  @Test func whereItIsOnlyReportedAllGoesOn() async throws {
    let (phone, debugger) = try phone(.report)
    debugger.attach()
    let eva = try await phone.eva()
    #expect(try eva.card(ending: "5556").number == visa)
    #expect(try phone.bank().vault.checkRuntime().findings.map(\.check) == [.debugger])
  }
}
