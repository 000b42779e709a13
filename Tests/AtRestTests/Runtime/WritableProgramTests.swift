import AtRest
import Foundation
import Testing

@Suite struct WritableProgramTests {
  private typealias Status = RuntimeEnvironment.FileStatus

  private static func machine(_ path: String, _ status: Status) -> RuntimeEnvironment {
    var environment = RuntimeEnvironment.linux()
    environment.status = { $0 == path ? status : Status(permissions: 0o755, owner: 0, group: 0) }
    return environment
  }

  @Test(arguments: ["/opt/app/app", "/opt/app", "/opt", "/", "/lib/libc.so.6", "/lib"])
  func everyPartIsLookedAt(path: String) {
    let weak = [
      Status(permissions: 0o757, owner: 0, group: 0),
      Status(permissions: 0o775, owner: 0, group: 50),
      Status(permissions: 0o775, owner: 1000, group: 50),
      Status(permissions: 0o700, owner: 1001, group: 0),
    ]
    for status in weak {
      let finding = Self.machine(path, status).only(.writableProgram)
      #expect(finding.outcome == .found && finding.message.contains("\(path) ("), "\(status)")
    }
    let fine = [
      Status(permissions: 0o755, owner: 0, group: 50),
      Status(permissions: 0o775, owner: 0, group: 0),
      Status(permissions: 0o775, owner: 1000, group: 1000),
      Status(permissions: 0o1777, owner: 0, group: 0),
    ]
    for status in fine {
      #expect(Self.machine(path, status).only(.writableProgram).outcome == .clear, "\(status)")
    }
  }

  #if os(Linux)
    @Test func aRealProgramThatAnybodyMayChange() throws {
      try IntegrityRun.withFolder { folder in
        let copy = folder.appendingPathComponent("app")
        try FileManager.default.copyItem(at: IntegrityRun.worker(), to: copy)
        func sees(_ permissions: mode_t, _ file: URL) throws -> Bool {
          #expect(chmod(file.path, permissions) == 0)
          defer { chmod(file.path, 0o755) }
          let findings = try IntegrityRun.report(worker: copy).findings(of: .writableProgram)
          return findings.contains { $0.outcome == .found && $0.message.contains("\(file.path) (") }
        }
        for file in [copy, folder] {
          #expect(try sees(0o777, file))
          #expect(try !sees(0o755, file))
        }
      }
    }
  #endif

  @Test func aProgramThatIsGoneIsNoPass() {
    var environment = RuntimeEnvironment.linux()
    environment.status = { _ in nil }
    #expect(environment.only(.writableProgram).outcome == .undetermined)
    environment = .linux()
    environment.executable = { nil }
    #expect(environment.only(.writableProgram).outcome == .undetermined)
    environment.platform = .appleMobile
    #expect(environment.only(.writableProgram).outcome == .notApplicable)
  }
}
