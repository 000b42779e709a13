@_spi(Tools) import AtRestCrypto
import AtRestFiles
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain
import Crypto
import Foundation

/// The evidence by which the agent recognises a program.
enum ProgramEvidence {
  /// Returns the evidence of the program at a path: the path alone if only root can replace the program,
  /// or if every version of it counts, and otherwise its digest too.
  ///
  /// - Throws: ``AtRestError/Code/notFound``; ``AtRestError/Code/invalidArgument`` for a script, a folder or a
  ///   special file.
  static func of(_ path: String, anyVersion: Bool = false) throws -> AgentEvidence {
    guard let real = SystemPath.real(path) else {
      throw AtRestError(
        .notFound, "There is no program at \(path).", remedy: "Name the path of the program.")
    }
    guard FileStatus.at(real)?.isRegular == true else {
      throw AtRestError.invalid("\(path) is no file.", remedy: "Name the file of the program.")
    }
    if isScript(real) {
      throw AtRestError.invalid(
        "\(path) is a script, which its interpreter runs.",
        remedy: "Name the interpreter, which runs other scripts too, or use --unit.")
    }
    if ProgramFile.isReplaceableByRootOnly(real) { return AgentEvidence(.systemProgram, real) }
    if anyVersion { return AgentEvidence(.program, real) }
    let contents = try MessageInput.contents(of: real)
    let digest = SHA256.hash(data: contents).hexadecimal
    return AgentEvidence(.program, "\(real) \(digest)")
  }

  /// Returns true if the file begins with the name of an interpreter.
  private static func isScript(_ path: String) -> Bool {
    let file = try? FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    return (try? file?.read(upToCount: 2)) == Data("#!".utf8)
  }

  /// Returns the first program with a name on the PATH. A script there usually runs a later one.
  static func find(_ name: String) -> String? {
    (SystemPath.environment("PATH") ?? "").split(separator: ":").lazy.map { "\($0)/\(name)" }
      .first { $0.hasPrefix("/") && access($0, X_OK) == 0 && !isScript($0) }
  }
}
