import Foundation
import Testing

/// Results that go to a pipe or a device.
@Suite struct OutputTests {
  /// Opens a pipe in the folder of a run, so that writing to it does not wait for a reader.
  private func pipe(_ run: CommandRun) throws -> FileHandle {
    let path = run.folder.appendingPathComponent("pipe").path
    try #require(mkfifo(path, 0o600) == 0)
    let descriptor = open(path, O_RDWR | O_NONBLOCK)
    try #require(descriptor >= 0)
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  private func isPipe(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }

  @Test func aReportIsWrittenToAPipeAndDoesNotReplaceIt() throws {
    let run = try CommandRun(["app/A.swift": "let a = 1\n"])
    let pipe = try pipe(run)
    #expect(try run("--format", "json", "--output", "pipe", "app").status == 0)
    #expect(isPipe(run.folder.appendingPathComponent("pipe").path))
    #expect(String(decoding: pipe.availableData, as: UTF8.self).contains("\"findings\""))
  }

  @Test func aSnapshotReplacesNoPipe() throws {
    let run = try CommandRun(["app/a": "text"])
    _ = try pipe(run)
    let result = try run("snapshot", "app", "--output", "pipe")
    #expect(result.status == 2)
    #expect(result.notes.contains("is not a regular file"))
    #expect(isPipe(run.folder.appendingPathComponent("pipe").path))
  }
}
