import AtRestCrypto
import AtRestFiles
import AtRestKeybag
import Foundation

/// A path to be stamped or checked: a file, a folder, or standard input.
struct StampedPath {
  enum Kind {
    case file, folder, input
  }

  /// The path as the user wrote it, without slashes at its end.
  let text: String
  let kind: Kind
  var url: URL { SystemPath.url(text) }

  /// - Throws: ``AtRestError/Code/notFound`` if the file does not exist.
  init(_ path: String) throws {
    guard path != "-" else {
      text = path
      kind = .input
      return
    }
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    text = path
    guard let status = FileStatus.at(path) else {
      throw AtRestError(.notFound, "There is no file \(path).", remedy: "Check the path.")
    }
    kind = status.isFolder ? .folder : .file
  }

  /// The default path of the stamp, beside the file.
  var stampPath: String {
    // A stamp beside "." would be inside the folder.
    let isNamed = !["", ".", ".."].contains(SystemPath.name(of: text))
    return (isNamed ? text : url.path)
      + (kind == .folder ? ".manifest" : ".stamp")
  }
}
