import ArgumentParser
import AtRestCrypto
import AtRestKeybag
import Foundation

struct AuditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit",
    abstract: "Show data that a project stores, logs, displays or shares unprotected.",
    usage: "atrest audit [<argument> ...]",
    discussion: """
      Runs atrest-audit, a separate program, with the arguments that follow: the one beside this \
      command, or else on the PATH. Its exit code becomes this command's. See atrest-audit --help.

      Where it is not installed, this command ends with 3. It comes with the releases of AtRest, and \
      make install-audit in the sources installs it.

      EXAMPLES
        atrest audit .
        atrest audit --format sarif --output audit.sarif .
      """)

  @Argument(
    parsing: .captureForPassthrough,
    help: ArgumentHelp("The arguments for atrest-audit.", valueName: "argument"))
  var arguments: [String] = []

  func run() throws {
    guard let program = Self.program() else {
      // The help of the auditor is not here, but this command has one of its own.
      if ["--help", "-h"].contains(arguments.first) {
        return Output.write(Self.helpMessage() + "\n")
      }
      throw AtRestError(
        .notFound, "atrest-audit is neither beside this command nor on the PATH.",
        remedy: "Install it from a release of AtRest, or with make install-audit in the sources.")
    }
    // The program replaces this process, so it receives the signals, has the terminal, and sets the
    // exit code.
    let words = ([program] + arguments).map { SystemPath.with($0) { strdup($0) } } + [nil]
    execv(program, words)
    throw AtRestError(
      .system, "Could not run \(program): \(String(cString: strerror(errno))).",
      remedy: "Check that it was built for this machine.")
  }

  private static func program() -> String? {
    let own = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    // An empty part of the PATH means the current folder. It is skipped, so nothing is run from
    // there.
    let folders = [own?.path].compactMap { $0 } + path.split(separator: ":").map(String.init)
    return folders.map { $0 + "/atrest-audit" }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }
}
