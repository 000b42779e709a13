import ArgumentParser
import AtRestAudit
import AtRestContainers
@_spi(Tools) import AtRestCrypto
import Foundation

/// `atrest-audit snapshot PATH --output FILE`
struct SnapshotCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "snapshot", abstract: "Record the contents of a container to compare later.",
    discussion: """
      Records the names, sizes and hashes of files, and salted hashes of the values in them. It \
      records no values. 'atrest-audit diff' shows what changed since.
      """)

  @ArgumentParser.Argument(help: "A folder or archive.", completion: .file())
  var path: String

  @Option(name: .shortAndLong, help: "The file to write.", completion: .file())
  var output: String

  @Option(
    help: "An earlier snapshot, with which 'atrest-audit diff' can then compare the values.",
    completion: .file())
  var since: String?

  func run() throws {
    guard FileManager.default.fileExists(atPath: path) else {
      throw AuditError("\(path) does not exist. Check the path.")
    }
    let earlier = try since.map { try ContainerSnapshot(contentsOf: $0) }
    let snapshot = try ContainerSnapshot(of: ContainerSource(path), comparableTo: earlier)
    try snapshot.write(to: output)
    Output.note("\(output): \(snapshot.files.count) files.")
    for problem in snapshot.problems { Output.note("not read: \(problem)") }
  }
}
