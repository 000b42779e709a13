import AtRest
import Foundation
import Testing

/// Reports of the worker about itself, started in ways that a test chooses.
enum IntegrityRun {
  static func worker() throws -> URL {
    var starts = [Bundle.main.bundleURL, URL(fileURLWithPath: CommandLine.arguments[0])]
    if let executable = Bundle.main.executableURL { starts.append(executable) }
    starts += Bundle.allBundles.map(\.bundleURL)
    for start in starts {
      var folder = start.resolvingSymlinksInPath()
      for _ in 0..<5 {
        let binary = folder.appendingPathComponent("atrest-vault-worker")
        if FileManager.default.isExecutableFile(atPath: binary.path) { return binary }
        folder = folder.deletingLastPathComponent()
      }
    }
    throw CocoaError(.fileNoSuchFile)
  }

  /// Returns the output of a program.
  static func output(
    of program: String, _ arguments: [String], variables: [String: String] = [:]
  ) throws -> String {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self)
  }

  /// Returns the report of the worker, started directly or by another program.
  static func report(
    _ part: String = "integrity", worker: URL? = nil, under program: [String] = [],
    variables: [String: String] = [:]
  ) throws -> RuntimeReport {
    let command = program + [try (worker ?? self.worker()).path, part]
    let output = try output(of: command[0], Array(command.dropFirst()), variables: variables)
    // A debugger prints more than the program's output.
    let line = try #require(output.split(separator: "\n").first { $0.contains("{\"all\"") })
    let json = line[try #require(line.range(of: "{\"all\"")).lowerBound...]
    let end = try #require(json.lastIndex(of: "}"))
    return try JSONDecoder().decode(RuntimeReport.self, from: Data(json[...end].utf8))
  }

  /// Runs a closure with a folder that is removed afterwards.
  static func withFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "atrest-integrity-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
  }
}

extension RuntimeEnvironment {
  /// A Linux machine without findings, with the given files.
  static func linux(_ files: [String: String] = [:]) -> RuntimeEnvironment {
    let all = [
      "/proc/self/status": "Name:\tx\nTracerPid:\t0\n", "/proc/swaps": "Filename Type Size\n",
      "/proc/self/maps": maps(["/opt/app/app", "/lib/libc.so.6"]),
      "/proc/sys/kernel/core_pattern": "core\n", "/proc/self/coredump_filter": "00000033\n",
    ].merging(files) { $1 }
    var environment = RuntimeEnvironment(platform: .linux)
    environment.contents = { path in all[path].map { Data($0.utf8) } }
    environment.status = { _ in FileStatus(permissions: 0o755, owner: 0, group: 0) }
    environment.executable = { "/opt/app/app" }
    environment.isDumpable = { true }
    environment.user = { 1000 }
    return environment
  }

  static func maps(_ paths: [String]) -> String {
    paths.map {
      "7f0-7f1 r-xp 00000000 fe:00 25    \($0)\n7f1-7f2 rw-p 00000000 fe:00 25   \($0)\n"
    }
    .joined() + "7fff-8000 r-xp 00000000 00:00 0    [vdso]\n"
  }

  /// Returns the only finding of a check.
  func only(_ check: RuntimeCheck) -> RuntimeFinding {
    let findings = RuntimeIntegrity(self).report([check]).all
    precondition(findings.count == 1, "\(findings)")
    return findings[0]
  }

  /// Returns the same environment, with one source that the system refuses.
  func refusing(_ refused: String) -> RuntimeEnvironment {
    var environment = self
    let contents = contents
    environment.contents = { path in
      if path == refused { throw AtRestError(.system, "No \(path).", remedy: "None.") }
      return try contents(path)
    }
    return environment
  }
}
