import AtRestFiles
import Foundation

/// Where a command reads or writes: a file, or a standard stream.
enum FilePlace: Hashable, Sendable {
  case stream
  case file(String)

  /// `-` is standard input or output.
  init(_ argument: String) { self = argument == "-" ? .stream : .file(argument) }

  var path: String? { if case .file(let path) = self { path } else { nil } }

  /// As the user named it.
  var name: String { path ?? "-" }

  var source: ByteSource {
    switch self {
    case .stream: .standardInput
    case .file(let path): .file(URL(fileURLWithPath: path))
    }
  }

  func destination(replacing: Bool, permissions: UInt16?) -> ByteDestination {
    switch self {
    case .stream: .standardOutput
    case .file(let path):
      .file(URL(fileURLWithPath: path), replacing: replacing, permissions: permissions)
    }
  }

  /// What the path leads to, where it leads anywhere.
  var status: FileStatus? { path.flatMap { FileStatus.at($0) } }
}
