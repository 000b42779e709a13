import AtRest
import Foundation
import Testing

@Suite struct InjectedLibraryTests {
  #if os(Linux)
    /// Runs with a library that the loader accepts. It is a copy of an existing one, so no compiler
    /// is needed.
    private static func withSpy<Result>(_ body: (String) throws -> Result) throws -> Result {
      let maps = try IntegrityRun.output(of: "/bin/cat", ["/proc/self/maps"])
      let line = try #require(
        maps.split(separator: "\n").first { $0.contains("/libc.so") || $0.contains("/libc-") })
      let library = String(line[try #require(line.firstIndex(of: "/"))...])
      return try IntegrityRun.withFolder { folder in
        let spy = folder.appendingPathComponent("libspy.so")
        try FileManager.default.copyItem(
          at: URL(fileURLWithPath: library).resolvingSymlinksInPath(), to: spy)
        return try body(spy.path)
      }
    }

    @Test func aPreloadedLibraryIsSeen() throws {
      try Self.withSpy { spy in
        let findings = try IntegrityRun.report(variables: ["LD_PRELOAD": spy])
          .findings(of: .injectedLibraries)
        #expect(findings.allSatisfy { $0.outcome == .found && $0.severity == .high })
        #expect(findings.contains { $0.message.contains("LD_PRELOAD: \(spy)") })
        #expect(findings.contains { $0.message.contains("that anyone may write: \(spy)") })
      }
    }

    @Test func oneThatHidesItsVariableIsSeen() throws {
      try Self.withSpy { spy in
        let findings = try IntegrityRun.report(
          "integrity-without-variables", variables: ["LD_PRELOAD": spy]
        ).findings(of: .injectedLibraries)
        #expect(findings.contains { $0.message.contains("LD_PRELOAD: \(spy)") })
      }
    }

    @Test func aPlainRunShowsNone() throws {
      let findings = try IntegrityRun.report().findings(of: .injectedLibraries)
      // The file /etc/ld.so.preload belongs to the machine.
      #expect(
        findings.filter { !$0.message.contains("/etc/ld.so.preload") }.allSatisfy {
          $0.outcome == .clear
        })
    }
  #endif

  private static func messages(_ environment: RuntimeEnvironment) -> [String] {
    RuntimeIntegrity(environment).report([.injectedLibraries]).findings.map(\.message)
  }

  @Test(arguments: ["LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES"])
  func eachVariableIsLookedAt(name: String) {
    for platform in [RuntimeEnvironment.Platform.linux, .mac, .appleMobile] {
      var environment = RuntimeEnvironment.linux()
      environment.platform = platform
      #expect(Self.messages(environment) == [])
      environment.variable = { $0 == name ? "" : nil }
      #expect(Self.messages(environment) == [])
      environment.variable = { $0 == name ? "/opt/spy.so" : nil }
      #expect(Self.messages(environment).count == 1)
    }
  }

  @Test func theMachinesPreloadIsLookedAt() {
    let environment = RuntimeEnvironment.linux(["/etc/ld.so.preload": "# none\n\n"])
    #expect(Self.messages(environment) == [])
    let spied = RuntimeEnvironment.linux(["/etc/ld.so.preload": "# one\n/usr/lib/spy.so\n"])
    #expect(Self.messages(spied).first?.contains("load /usr/lib/spy.so.") == true)
  }

  @Test(arguments: [
    "/tmp/x.so", "/var/tmp/a b.so", "/dev/shm/x", "/memfd:x (deleted)", "/run/user/1000/x.so",
  ])
  func placesThatAnybodyWritesAreSeen(path: String) {
    let maps = RuntimeEnvironment.maps(["/opt/app/app", path])
    let messages = Self.messages(.linux(["/proc/self/maps": maps]))
    #expect(messages.count == 1 && messages[0].contains(path))
    // Data that is mapped there is not code.
    let data = maps.replacingOccurrences(of: "r-xp", with: "r--p")
    #expect(Self.messages(.linux(["/proc/self/maps": data])) == [])
  }

  @Test func aLibraryThatAnybodyMayReplaceIsSeen() {
    for path in ["/lib/libc.so.6", "/lib"] {
      var environment = RuntimeEnvironment.linux()
      environment.status = { .init(permissions: $0 == path ? 0o777 : 0o755, owner: 0, group: 0) }
      #expect(Self.messages(environment).first?.contains("/lib/libc.so.6") == true)
    }
  }

  @Test func theProgramsOwnFolderIsNotOutOfPlace() {
    var environment = RuntimeEnvironment.linux([
      "/proc/self/maps": RuntimeEnvironment.maps(["/tmp/build/app", "/tmp/build/lib/own.so"])
    ])
    environment.executable = { "/tmp/build/app" }
    #expect(Self.messages(environment) == [])
  }

  @Test func unreadableMapsAreNoPass() {
    for environment in [
      RuntimeEnvironment.linux(["/proc/self/maps": ""]),
      RuntimeEnvironment.linux().refusing("/proc/self/maps"), RuntimeEnvironment(),
    ] {
      #expect(environment.only(.injectedLibraries).outcome == .undetermined)
    }
  }
}
