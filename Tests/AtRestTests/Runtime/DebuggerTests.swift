import AtRest
import Foundation
import Testing

@Suite struct DebuggerTests {
  #if os(Linux)
    @Test func nobodyTracesAPlainRun() throws {
      let findings = try IntegrityRun.report().findings(of: .debugger)
      #expect(findings.map(\.outcome) == [.clear])
    }

    @Test func aTracerIsSeen() throws {
      let worker = try IntegrityRun.worker().path
      let finding = try #require(
        try IntegrityRun.report(under: [worker, "traced"]).findings(of: .debugger).first)
      #expect(finding.outcome == .found && finding.severity == .high)
      // The finding contains the debugger's name, which the kernel truncates.
      #expect(finding.message.contains("(atrest-vault-wo)"))
      #expect(!finding.remedy.isEmpty)
    }

    private static let debugger = "/usr/bin/gdb"

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: debugger)))
    func gdbIsSeen() throws {
      let command = [
        try IntegrityRun.worker().path, "with-signals", Self.debugger, "-nx", "-q", "-batch",
        "-iex", "set debuginfod enabled off", "-ex", "run",
        "--args",
      ]
      let finding = try #require(
        try IntegrityRun.report(under: command).findings(of: .debugger).first)
      #expect(finding.outcome == .found)
      #expect(finding.message.contains("gdb"))
    }
  #endif

  @Test func theTracerIsNamed() {
    let environment = RuntimeEnvironment.linux([
      "/proc/self/status": "Name:\tx\nTracerPid:\t42\n", "/proc/42/comm": "strace\n",
    ])
    #expect(environment.only(.debugger).message.contains("Process 42 (strace)"))
    #expect(RuntimeEnvironment.linux().only(.debugger).outcome == .clear)
  }

  @Test func onApplesPlatformsTheKernelIsAsked() {
    for platform in [RuntimeEnvironment.Platform.mac, .appleMobile] {
      var environment = RuntimeEnvironment(platform: platform)
      #expect(environment.only(.debugger).outcome == .clear)
      environment.isTraced = { true }
      #expect(environment.only(.debugger).outcome == .found)
      environment.isTraced = { throw AtRestError(.system, "No.", remedy: "None.") }
      #expect(environment.only(.debugger).outcome == .undetermined)
    }
  }

  @Test(arguments: ["", "Name:\tx\n", "TracerPid:\tmany\n"])
  func whatDoesNotTellIsNoPass(status: String) {
    let environment = RuntimeEnvironment.linux(["/proc/self/status": status])
    #expect(environment.only(.debugger).outcome == .undetermined)
    #expect(environment.refusing("/proc/self/status").only(.debugger).outcome == .undetermined)
    #expect(RuntimeEnvironment().only(.debugger).outcome == .undetermined)
  }
}
