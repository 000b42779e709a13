import ArgumentParser
import AtRestCrypto
import AtRestFiles
import Foundation

struct LintCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Find Swift code that requests file protection that Foundation lacks on Linux.",
    discussion: """
      Finds .completeFileProtection…, .protectionKey and FileProtectionType in files that do not \
      import AtRestFoundation, except in comments, strings and #if branches for other platforms. \
      Prints FILE:LINE:COLUMN: MESSAGE for each line. Folders are searched for .swift files; hidden \
      files and symbolic links in them are skipped. Ends with exit code 1 if anything is found.

      EXAMPLES
        atrest lint Sources
        atrest lint --json Sources | jq -r '.[].file' | sort -u
      """)

  @Flag(help: "Print JSON: an array with an object for each line.")
  var json = false

  @Argument(help: ArgumentHelp("Files and folders.", valueName: "path"), completion: .file())
  var paths: [String]

  func run() throws {
    let failures = Failures()
    var findings: [ProtectionLint.Finding] = []
    for path in paths {
      for file in files(at: path, isNamed: true, failures) {
        guard let data = read(file, failures) else { continue }
        let found = ProtectionLint.findings(data, file: file)
        if !json { for finding in found { try write(finding) } }
        findings += found
      }
    }
    if json { try Output.writeJSON(findings) }
    if !findings.isEmpty {
      if !json { Output.plainNote("  \(ProtectionLint.remedy)") }
      failures.count(.failure)
    }
    try failures.end()
  }

  private func write(_ finding: ProtectionLint.Finding) throws {
    let place = "\(Output.printable(finding.file)):\(finding.line):\(finding.column)"
    Output.write("\(place): \(Output.printable(finding.message))\n")
  }

  private func files(at path: String, isNamed: Bool, _ failures: Failures) -> [String] {
    guard let status = FileStatus.at(path, followingLinks: isNamed), status.isFolder else {
      return isNamed || path.hasSuffix(".swift") ? [path] : []
    }
    do {
      let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
      return names.filter { !$0.hasPrefix(".") }.flatMap {
        files(at: path.hasSuffix("/") ? path + $0 : "\(path)/\($0)", isNamed: false, failures)
      }
    } catch {
      failures.report(
        AtRestError(
          .system, "Could not read the folder \(path).",
          remedy: "Check the path and its permissions.", cause: error))
      return []
    }
  }

  private func read(_ file: String, _ failures: Failures) -> Data? {
    guard let status = FileStatus.at(file, followingLinks: true) else {
      failures.report(
        AtRestError(.notFound, "There is no file \(file).", remedy: "Check the path."))
      return nil
    }
    do {
      guard status.isRegular else {
        throw AtRestError.invalid("\(file) is not a regular file.", remedy: "Pass Swift files.")
      }
      return try Data(contentsOf: URL(fileURLWithPath: file))
    } catch let error as AtRestError {
      failures.report(error)
    } catch {
      failures.report(
        AtRestError(
          .system, "Could not read \(file).", remedy: "Check its permissions.", cause: error))
    }
    return nil
  }
}
