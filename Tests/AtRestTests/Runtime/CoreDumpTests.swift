import AtRest
import Foundation
import Testing

@Suite struct CoreDumpTests {
  @Test func aLimitAboveZeroIsSeen() {
    var environment = RuntimeEnvironment.linux()
    #expect(environment.only(.coreDumps).outcome == .clear)
    environment.coreLimit = { 4096 }
    #expect(environment.only(.coreDumps).message.contains("up to 4096 bytes"))
    environment.coreLimit = { .max }
    #expect(environment.only(.coreDumps).message.contains("any size"))
    // The program has disabled core dumps.
    environment.isDumpable = { false }
    #expect(environment.only(.coreDumps).outcome == .clear)
  }

  @Test func aFilterThatLeavesMemoryOut() {
    for (filter, outcome) in [("00000030", RuntimeFinding.Outcome.clear), ("00000001", .found)] {
      var environment = RuntimeEnvironment.linux(["/proc/self/coredump_filter": "\(filter)\n"])
      environment.coreLimit = { .max }
      #expect(environment.only(.coreDumps).outcome == outcome)
    }
  }

  @Test func aProgramThatTakesThemHeedsNoLimit() {
    let environment = RuntimeEnvironment.linux([
      "/proc/sys/kernel/core_pattern": "|/usr/share/apport/apport -p%p"
    ])
    let finding = environment.only(.coreDumps)
    #expect(finding.outcome == .found && finding.message.contains("/usr/share/apport/apport,"))
  }

  @Test func whatDoesNotTellIsNoPass() {
    let pattern = "/proc/sys/kernel/core_pattern"
    #expect(RuntimeEnvironment.linux().refusing(pattern).only(.coreDumps).outcome == .undetermined)
    #expect(RuntimeEnvironment().only(.coreDumps).outcome == .undetermined)
  }

  #if os(Linux)
    /// Tests a child process with and without a limit.
    @Test func aRealLimit() throws {
      func finding(_ limit: String) throws -> RuntimeFinding? {
        let command = ["/bin/sh", "-c", "ulimit -S -c \(limit); exec \"$0\" \"$@\""]
        return try IntegrityRun.report(under: command).findings(of: .coreDumps).first
      }
      let off = try #require(try finding("0"))
      #expect(!off.message.contains("up to") && !off.message.contains("any size"))
      var limit = rlimit()
      #expect(getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) == 0)
      // The machine may set a lower hard limit.
      guard limit.rlim_max > 0 else { return }
      #expect(try finding("$(ulimit -H -c)")?.message.contains("(core dump of") == true)
    }
  #endif
}
