import Foundation

/// A script that tests write and programs run.
enum Script {
  private struct Failure: Error {}

  /// Writes a script that can be run.
  ///
  /// A child process writes it. A descriptor of this process that is open for writing may be inherited, for a
  /// moment, by a program that another test starts, and the system runs no file that somebody writes.
  static func write(_ text: String, to path: String, permissions: mode_t = 0o755) throws {
    let source = path + ".text"
    try Data(text.utf8).write(to: URL(fileURLWithPath: source))
    defer { unlink(source) }
    let copy = try Process.run(URL(fileURLWithPath: "/bin/cp"), arguments: [source, path])
    copy.waitUntilExit()
    guard copy.terminationStatus == 0, chmod(path, permissions) == 0 else { throw Failure() }
  }
}
