import AtRest
import Foundation
import Testing

@Suite struct RuntimePolicyTests {
  private static func finding(
    _ check: RuntimeCheck, _ outcome: RuntimeFinding.Outcome = .found
  ) -> RuntimeFinding {
    RuntimeFinding(check, outcome, "Seen.")
  }

  @Test func theSeverestResponseCounts() {
    let policy = RuntimePolicy([.debugger: .lock, .swap: .report, .jailbreak: .wipe])
    func response(_ checks: RuntimeCheck...) -> RuntimePolicy.Response? {
      policy.response(to: RuntimeReport(checks.map { Self.finding($0) }))
    }
    #expect(response() == nil)
    #expect(response(.swap) == .report)
    #expect(response(.swap, .debugger) == .lock)
    #expect(response(.debugger, .jailbreak, .swap) == .wipe)
    #expect(RuntimePolicy.Response.allCases == [.report, .refuse, .lock, .wipe])
    #expect(RuntimePolicy.Response.allCases.sorted() == RuntimePolicy.Response.allCases)
  }

  @Test func whatIsClearNeedsNoResponse() {
    for policy in [RuntimePolicy.report, .standard, .strict] {
      for check in RuntimeCheck.all {
        #expect(policy.response(to: Self.finding(check, .clear)) == nil)
        #expect(policy.response(to: Self.finding(check, .notApplicable)) == nil)
        #expect(policy.response(to: Self.finding(check)) != nil)
      }
    }
  }

  @Test func eachPolicyIsAsStrictAsTheLast() {
    for check in RuntimeCheck.all + [RuntimeCheck(rawValue: "of-an-application")] {
      for outcome in [RuntimeFinding.Outcome.found, .undetermined] {
        let responses = [RuntimePolicy.report, .standard, .strict].compactMap {
          $0.response(to: Self.finding(check, outcome))
        }
        #expect(responses.count == 3 && responses == responses.sorted())
        #expect(responses[0] == .report && responses[1] < .wipe)
      }
    }
    #expect(RuntimePolicy.strict.response(to: Self.finding(.swap, .undetermined)) == .refuse)
  }

  @Test func itIsAValue() throws {
    var policy = RuntimePolicy.standard
    policy[.debugger] = .wipe
    #expect(policy != .standard)
    #expect(policy.response(to: [Self.finding(.debugger)]) == .wipe)
    let stored = try JSONEncoder().encode(policy)
    #expect(try JSONDecoder().decode(RuntimePolicy.self, from: stored) == policy)
  }

  @Test func anUnknownCheckIsNoPass() {
    let report = RuntimeIntegrity(.linux()).report([RuntimeCheck(rawValue: "later")])
    #expect(report.undetermined.count == 1 && !report.isClear)
    #expect(RuntimeIntegrity(.linux()).report().isClear)
  }
}
