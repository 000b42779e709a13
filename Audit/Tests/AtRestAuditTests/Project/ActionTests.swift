import Foundation
import Testing
import Yams

/// The action for GitHub: its steps, and the script that runs the audit.
@Suite struct ActionTests {
  private let action: Node

  init() throws {
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { root.deleteLastPathComponent() }
    let text = try String(contentsOf: root.appendingPathComponent("action.yml"), encoding: .utf8)
    action = try #require(try Yams.compose(yaml: text))
  }

  private var steps: [Node] { action["runs"]?["steps"]?.sequence.map(Array.init) ?? [] }

  private func step(_ name: String) throws -> Node {
    try #require(steps.first { $0["name"]?.string == name })
  }

  /// Runs the script of the audit with a program that writes a report and exits with a status.
  private func audit(
    writing report: String?, status: Int, _ inputs: [String: String] = [:]
  ) throws -> (status: Int32, outputs: [String], arguments: [String]) {
    let folder = try TestFolder(["outputs": "", "old.sarif": "old"])
    let write = report.map { "printf '%s' '\($0)' > new.sarif\n" } ?? ""
    try folder.write(
      "auditor", "#!/bin/bash\nprintf '%s\\n' \"$@\" > arguments\n\(write)exit \(status)\n")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: folder.path + "/auditor")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c",
      try #require(try step("Audit")["run"]?.string),
    ]
    process.currentDirectoryURL = folder.url
    process.environment = ProcessInfo.processInfo.environment.merging(
      [
        "BINARY": "./auditor", "PATHS": "App\n\nMore code", "FAIL_ON": "", "STRICT": "false",
        "CONFIG": "", "BASELINE": "", "CHANGED_SINCE": "", "SARIF": "new.sarif",
        "GITHUB_OUTPUT": "outputs",
      ].merging(inputs) { $1 }
    ) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    func lines(_ name: String) throws -> [String] {
      try String(contentsOf: folder.url.appendingPathComponent(name), encoding: .utf8)
        .split(separator: "\n").map(String.init)
    }
    return (process.terminationStatus, try lines("outputs"), try lines("arguments"))
  }

  /// Runs the step that names the build, in a clone that has no file which only a build makes.
  private func nameOfTheBuild(_ source: String) throws -> (status: Int32, outputs: String) {
    let folder = try TestFolder([
      "clone/Package.swift": "// root", "clone/Sources/A/a.swift": source,
      "clone/Audit/Package.swift": "// audit", "clone/Audit/Sources/B/b.swift": "b",
      "outputs": "", "bin/swift": "#!/bin/bash\necho 'Swift version 6.3'\n",
    ])
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: folder.path + "/bin/swift")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c",
      try #require(try step("Name the build")["run"]?.string),
    ]
    process.currentDirectoryURL = folder.url
    process.environment = [
      "PATH": folder.path + "/bin:/usr/bin:/bin", "RUNNER_OS": "Linux", "RUNNER_ARCH": "X64",
      "RUNNER_TEMP": folder.path, "GITHUB_ACTION_PATH": folder.path + "/clone/Audit",
      "GITHUB_OUTPUT": folder.path + "/outputs",
    ]
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    let outputs = try String(
      contentsOf: folder.url.appendingPathComponent("outputs"), encoding: .utf8)
    return (process.terminationStatus, outputs)
  }

  @Test func namesTheBuildOfAFreshClone() throws {
    let one = try nameOfTheBuild("let a = 1")
    #expect(one.status == 0)
    let key = try #require(one.outputs.split(separator: "\n").first)
    #expect(key.hasPrefix("key=atrest-audit-Linux-X64-"))
    // The same sources have the same name, and others another.
    #expect(try nameOfTheBuild("let a = 1").outputs.hasPrefix(key + "\n"))
    #expect(try !nameOfTheBuild("let a = 2").outputs.hasPrefix(key + "\n"))
  }

  @Test(arguments: [0, 1])
  func givesTheReport(status: Int) throws {
    let run = try audit(writing: "{}", status: status)
    #expect(run.status == status)
    #expect(run.outputs == ["sarif=new.sarif", "status=\(status)"])
    #expect(
      run.arguments == [
        "scan", "--format", "sarif", "--output", "new.sarif", "--format", "terminal", "--", "App",
        "More code",
      ])
  }

  /// The step that uploads the report asks whether there is one.
  @Test func givesNoReportOfAnAuditThatWasNotDone() throws {
    let run = try audit(writing: nil, status: 2, ["SARIF": "old.sarif"])
    #expect(run.status == 2)
    #expect(run.outputs == ["status=2"])
  }

  @Test func passesInputsOnAsTheyAre() throws {
    let run = try audit(
      writing: "{}", status: 0,
      ["FAIL_ON": "high", "STRICT": "true", "BASELINE": "$(touch a) b.json", "PATHS": "-x"])
    #expect(
      run.arguments.suffix(7) == [
        "--fail-on", "high", "--strict", "--baseline", "$(touch a) b.json", "--", "-x",
      ])
  }

  /// Text of a user that is part of a script would be executed.
  @Test func putsNoInputIntoAScript() {
    for step in steps {
      #expect(step["run"]?.string?.contains("${{") != true)
    }
  }

  @Test func buildsOnlyWhatIsNotKept() throws {
    let build = try #require(try step("Build")["if"]?.string)
    for condition in [
      "inputs.binary == ''", "inputs.release == ''", "steps.cache.outputs.cache-hit != 'true'",
    ] {
      #expect(build.contains(condition))
    }
    let names = steps.compactMap { $0["name"]?.string }
    let kept = try #require(names.firstIndex(of: "Keep the build"))
    #expect(kept < (names.firstIndex(of: "Audit") ?? 0))
    #expect(steps.filter { $0["run"]?.string?.contains("swift build") == true }.count == 1)
  }
}
