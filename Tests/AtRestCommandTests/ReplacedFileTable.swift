import Foundation
import Testing

/// Tries each replacement in place of files, and makes a table of the exit codes.
struct ReplacedFileTable {
  /// A file, and the command that opens it.
  struct Row {
    let file: String
    var program = "atrest"
    var arguments: [String]
    var input: String?
    /// True if only a regular file that the user owns is accepted.
    var isPrivate = true
    /// The exit code if the file is in its place.
    var status: Int32 = 0
  }

  private let run: CommandRun
  private let victim: String
  private static let secret = "precious\n"

  init(_ run: CommandRun) throws {
    self.run = run
    try run.makeFolder("victim")
    victim = try run.file("victim/file", Self.secret)
    chmod(victim, 0o640)
  }

  /// Runs a command, and kills it if it does not end. To read a huge file or an endless device takes
  /// longer than the two minutes that it has.
  func limited(_ row: Row) throws -> (status: Int32?, notes: String) {
    let process = Process()
    process.executableURL = try CommandRun.binary(row.program)
    process.arguments = row.arguments
    process.environment = ProcessInfo.processInfo.environment.merging([
      "ATREST_STORE": run.folder.appendingPathComponent("store").path,
      "ATREST_DEVICE": run.folder.appendingPathComponent("device").path,
    ]) { $1 }
    process.currentDirectoryURL = run.folder
    process.standardOutput = FileHandle.nullDevice
    let notes = URL(fileURLWithPath: try run.file(".replaced-notes", ""))
    process.standardError = try FileHandle(forWritingTo: notes)
    let input = try run.file(".replaced-input", row.input ?? "")
    process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: input))
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    try process.run()
    let isTimely = ended.wait(timeout: .now() + 120) == .success
    if !isTimely { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    let isExit = process.terminationReason == .exit
    return (
      isTimely && isExit ? process.terminationStatus : nil,
      String(decoding: try Data(contentsOf: notes), as: UTF8.self)
    )
  }

  func tried(_ row: Row, control: Row) throws -> String {
    var cells: [String] = []
    for replacement in FileReplacement.allCases {
      let path = run.folder.appendingPathComponent(row.file).path
      let aside = run.folder.appendingPathComponent("aside").path
      guard let putBack = try replacement.put(at: path, victim: victim, aside: aside) else {
        cells.append("-")
        continue
      }
      var row = row
      // Each attempt adds an item of its own.
      row.arguments = row.arguments.map { $0 == "NEW" ? "\(row.file) \(replacement)" : $0 }
      let (status, notes) = try limited(row)
      let what = Comment(rawValue: "\(replacement) in place of \(row.file): \(notes)")
      #expect(status.map { (0...6).contains($0) } == true, what)
      let isKind = ![.empty, .huge, .mode000].contains(replacement)
      if let status, status != 0, isKind {
        #expect(notes.contains((row.file as NSString).lastPathComponent), what)
      }
      if row.isPrivate && isKind {
        #expect(status == 5 || status == 6, what)
      }
      try putBack()
      #expect(run.text("victim/file") == Self.secret, what)
      #expect(try run.mode("victim/file") == 0o640 && run.names("victim") == ["file"], what)
      // After the file was restored, everything is as before.
      let after = try limited(control)
      #expect(after.status == control.status, "after \(what): \(after.notes)")
      cells.append(status.map(String.init) ?? "!")
    }
    let file = row.file.replacingOccurrences(
      of: "[0-9a-f]{32}", with: "<id>", options: .regularExpression)
    return ([file] + cells).joined(separator: "\t")
  }

  func print(_ rows: [String]) {
    let head = (["exit codes"] + FileReplacement.allCases.map(\.rawValue)).joined(separator: "\t")
    Swift.print(([head] + rows).joined(separator: "\n"))
  }
}
