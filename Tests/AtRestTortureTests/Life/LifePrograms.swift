import Foundation

/// Runs the programs of a life.
struct LifePrograms: Sendable {
  /// A program that does not end.
  struct Hanging: Error { let program: String }

  let folder: URL
  let command: URL
  let worker: URL
  private let injector: URL
  /// nil if the agent's package is not built.
  let agent: URL?

  init(in folder: URL) throws {
    self.folder = folder
    command = try Worker.binary("atrest")
    worker = try Worker.binary("atrest-life-worker")
    injector = try Worker.binary("atrest-torture-worker")
    // The agent is a package of its own, which may be built into the same folder.
    agent =
      if let path = ProcessInfo.processInfo.environment["ATREST_LIFE_AGENT"] {
        path.isEmpty ? nil : URL(fileURLWithPath: path)
      } else {
        try? Worker.binary("atrest-agent")
      }
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("runs"), withIntermediateDirectories: true)
  }

  /// Returns the environment of all programs on a machine.
  func environment(_ machine: LifeMachine, tpm: String?) -> [String: String] {
    var values = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("ATREST_") }
    values["HOME"] = folder.path
    values["ATREST_STORE"] = machine.store.path
    values["ATREST_DEVICE"] = machine.device.path
    values["ATREST_TPM"] = tpm
    values["TSS2_LOG"] = "all+NONE"
    return values
  }

  /// Runs a program to its end.
  ///
  /// - Parameter fault: The arguments of `atrest-torture-worker fail`, if something is to go wrong.
  func run(
    _ program: URL, _ arguments: [String], input: String = "", on machine: LifeMachine,
    tpm: String?, fault: [String]? = nil
  ) throws -> LifeOutcome {
    let place = folder.appendingPathComponent("runs/\(UUID().uuidString)")
    func path(_ name: String) -> URL { place.appendingPathExtension(name) }
    defer {
      for name in ["in", "out", "notes", "result"] {
        try? FileManager.default.removeItem(at: path(name))
      }
    }
    let process = Process()
    var words = [program.path] + arguments
    if let fault {
      words =
        [injector.path, "fail", machine.store.path, machine.device.path, path("result").path]
        + fault + words
    }
    // The terminal on which the tests may run is detached.
    let setsid = "/usr/bin/setsid"
    if FileManager.default.isExecutableFile(atPath: setsid) { words = [setsid, "-w"] + words }
    process.executableURL = URL(fileURLWithPath: words[0])
    process.arguments = Array(words.dropFirst())
    process.environment = environment(machine, tpm: tpm)
    process.currentDirectoryURL = folder
    try Data(input.utf8).write(to: path("in"))
    // Files are used instead of pipes, because nothing can fill them up.
    for name in ["out", "notes"] { try Data().write(to: path(name)) }
    let handles = [
      try FileHandle(forReadingFrom: path("in")), try FileHandle(forWritingTo: path("out")),
      try FileHandle(forWritingTo: path("notes")),
    ]
    // Foundation keeps some of the processes that ended, with their files. Above 1,024 of them it crashes.
    defer { for handle in handles { try? handle.close() } }
    (process.standardInput, process.standardOutput, process.standardError) =
      (handles[0], handles[1], handles[2])
    let end = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in end.signal() }
    try process.run()
    guard end.wait(timeout: .now() + 120) == .success else {
      kill(process.processIdentifier, SIGKILL)
      throw Hanging(program: words.joined(separator: " "))
    }
    var status = process.terminationStatus
    if process.terminationReason == .uncaughtSignal { status += 128 }
    var outcome = LifeOutcome(
      status: status, output: try text(path("out")), notes: try text(path("notes")))
    if fault != nil {
      let numbers = try text(path("result")).split(separator: " ").compactMap { Int($0) }
      guard status == 0, numbers.count == 3 else { throw Hanging(program: outcome.notes) }
      outcome = LifeOutcome(
        status: Int32(numbers[0]), output: outcome.output, notes: outcome.notes,
        calls: numbers[1], failures: numbers[2])
    }
    return outcome
  }

  private func text(_ url: URL) throws -> String {
    String(decoding: try Data(contentsOf: url), as: UTF8.self)
  }

  /// Returns a file with a text, such as a passcode, outside of all machines.
  func file(_ text: String) throws -> String {
    let name = text.map { $0.isLetter || $0.isNumber ? String($0) : "-" }.joined().prefix(60)
    let file = folder.appendingPathComponent("runs/word-\(name)")
    if !FileManager.default.fileExists(atPath: file.path) {
      try Data(text.utf8).write(to: file)
    }
    return file.path
  }
}
