import AtRestCrypto
import AtRestFiles
import Foundation

/// What a user named to be sealed or checked: a file, a folder, or standard input.
struct SealedPath {
  enum Kind {
    case file, folder, input
  }

  /// As it was given, without slashes at its end.
  let text: String
  let kind: Kind
  var url: URL { URL(fileURLWithPath: text) }

  /// - Throws: ``AtRestError/Code/notFound`` where nothing is there.
  init(_ path: String) throws {
    guard path != "-" else {
      text = path
      kind = .input
      return
    }
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    text = path
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw AtRestError(.notFound, "There is no file \(path).", remedy: "Check the path.")
    }
    kind = isFolder.boolValue ? .folder : .file
  }

  /// Where the seal is kept where nothing else is said: beside it.
  var sealPath: String {
    // Beside "." would be in it.
    let isNamed = ![nil, ".", ".."].contains(text.split(separator: "/").last)
    return (isNamed ? text : url.standardizedFileURL.path)
      + (kind == .folder ? ".manifest" : ".seal")
  }
}
