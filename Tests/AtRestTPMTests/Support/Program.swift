import Foundation
import Testing

/// The built command, run on the folders and the TPM of a test.
struct Program {
  /// The result of a run.
  struct Result {
    let status: Int32
    let text: String
    let notes: String
  }

  let store: DeviceStore
  var variables: [String: String] = [:]

  /// Runs the command without a terminal.
  func callAsFunction(_ arguments: String...) throws -> Result {
    let process = try process(["-w", try Self.binary().path] + arguments)
    process.standardInput = FileHandle.nullDevice
    let (output, notes) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = notes
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    let errors = notes.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Result(
      status: process.terminationStatus, text: String(decoding: text, as: UTF8.self),
      notes: String(decoding: errors, as: UTF8.self))
  }

  private func process(_ arguments: [String]) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/setsid")
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging([
      "ATREST_STORE": store.storeFolder.path, "ATREST_DEVICE": store.deviceFolder.path,
      "ATREST_TPM": store.device.transport,
    ]) { $1 }.merging(variables) { $1 }
    return process
  }

  /// Runs the command on a terminal of its own, and types an answer when it asks a question. Returns the
  /// status.
  func onTerminal(_ arguments: String..., question: String, answer: String) throws -> Int32 {
    // TIOCSPTLCK and TIOCGPTN of Linux.
    let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    defer { close(master) }
    var (isLocked, number) = (Int32(0), Int32(0))
    try #require(
      master >= 0 && ioctl(master, 0x4004_5431, &isLocked) == 0
        && ioctl(master, 0x8004_5430, &number) == 0)
    let slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(slave >= 0)
    let handle = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
    let process = try process(["-c", "-w", try Self.binary().path] + arguments)
    process.standardInput = handle
    process.standardOutput = handle
    process.standardError = handle
    try process.run()
    var seen: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while !String(decoding: seen, as: UTF8.self).contains(question) {
      let count = read(master, &buffer, buffer.count)
      guard count > 0 else { break }
      seen += buffer[..<count]
    }
    let line = Array((answer + "\n").utf8)
    _ = write(master, line, line.count)
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Writes a file beside the folders, and returns its path.
  func file(_ name: String, _ contents: String) throws -> String {
    let file = store.device.file(name)
    try Data(contents.utf8).write(to: file)
    return file.path
  }

  private static func binary() throws -> URL {
    let folders =
      [Bundle.main.bundleURL]
      + CommandLine.arguments.map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
    return try #require(
      folders.map { $0.appendingPathComponent("atrest") }.first {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: $0.path, isDirectory: &isFolder)
          && !isFolder.boolValue && FileManager.default.isExecutableFile(atPath: $0.path)
      }, "atrest is not built.")
  }
}
