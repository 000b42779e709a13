import AtRest
import Testing

@Suite struct DeviceRiskTests {
  private static var poor: RuntimeEnvironment {
    var environment = RuntimeEnvironment.linux([
      "/proc/swaps": "Filename Type\n/dev/sda2 partition\n", "/proc/self/status": "TracerPid:\t7\n",
    ])
    environment.coreLimit = { .max }
    return environment
  }

  @Test func eachIsSaidWithWhatToDo() {
    let risks = DeviceRisks.list(in: Self.poor)
    #expect(risks.map(\.id) == ["debugger-attached", "core-dumps", "unencrypted-swap"])
    #expect(risks.allSatisfy { !$0.message.isEmpty && !$0.remedy.isEmpty })
    #expect(DeviceRisks.list(in: .linux()) == [])
  }

  @Test func nothingIsSaidTwice() {
    let known = StoreRisk(
      id: "unlocked-memory", message: "Some may reach swap.", remedy: "Lock it.")
    let risks = DeviceRisks.list(in: Self.poor, beside: [known])
    #expect(risks.map(\.id) == ["debugger-attached", "core-dumps"])
    #expect(DeviceRisks.list(in: Self.poor, beside: risks).map(\.id) == ["unencrypted-swap"])
  }

  @Test func whatIsNotKnownIsARisk() {
    let risks = DeviceRisks.list(in: RuntimeEnvironment())
    #expect(
      risks.map(\.id) == [
        "debugger-attached-unknown", "core-dumps-unknown", "unencrypted-swap-unknown",
      ])
  }
}
