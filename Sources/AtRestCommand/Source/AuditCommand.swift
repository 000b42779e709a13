import ArgumentParser
import AtRestCrypto
import Foundation

struct AuditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit",
    abstract: "Show what a project stores, logs, shows or shares unprotected.",
    discussion: """
      Runs atrest-audit, which is a program of its own, with all that follows: the one beside this \
      command, or else on the PATH. Its exit code is this one's. See atrest-audit --help.

      EXAMPLES
        atrest audit .
        atrest audit --format sarif --output audit.sarif .
      """)

  @Argument(
    parsing: .captureForPassthrough,
    help: ArgumentHelp("What atrest-audit is given.", valueName: "argument"))
  var arguments: [String] = []

  func run() throws {
    guard let program = Self.program() else {
      throw AtRestError(
        .notFound, "There is no atrest-audit beside this command, nor on the PATH.",
        remedy: "Build it with 'make audit' and copy it beside this command.")
    }
    // In place of this process: signals, terminal and exit code are the program's own.
    let words = ([program] + arguments).map { strdup($0) } + [nil]
    execv(program, words)
    throw AtRestError(
      .system, "Could not run \(program): \(String(cString: strerror(errno))).",
      remedy: "Check that it was built for this machine.")
  }

  private static func program() -> String? {
    let own = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    // An empty part of the PATH means the current folder, out of which nothing is run here.
    let folders = [own?.path].compactMap { $0 } + path.split(separator: ":").map(String.init)
    return folders.map { $0 + "/atrest-audit" }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }
}
