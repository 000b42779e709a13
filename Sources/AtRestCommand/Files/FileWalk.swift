import AtRestCrypto
import AtRestFiles
import Foundation

/// Finds the files that are named, and those in folders that are.
struct FileWalk {
  /// Which files of a folder are meant.
  enum Kind {
    case plain, protected
  }

  let kind: Kind
  let failures: Failures
  let isQuiet: Bool
  /// Folders whose files are never touched, resolved.
  private let forbidden: [String]

  init(_ kind: Kind, failures: Failures, isQuiet: Bool, forbidden: [URL] = []) {
    self.kind = kind
    self.failures = failures
    self.isQuiet = isQuiet
    self.forbidden = forbidden.map { Self.resolved($0.path) }
  }

  /// The files, those of a folder in the order of their names.
  func places(_ arguments: [String]) -> [FilePlace] {
    arguments.flatMap { argument -> [FilePlace] in
      let place = FilePlace(argument)
      guard let path = place.path else { return [place] }
      if isForbidden(path) {
        failures.report(
          .invalid(
            "\(path) belongs to the store itself.",
            remedy: "The store protects its own files; name others."))
        return []
      }
      return place.status?.isFolder == true ? files(in: path) : [place]
    }
  }

  private func files(in folder: String) -> [FilePlace] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    } catch {
      failures.report(
        AtRestError(
          .system, "Could not read the folder \(folder).",
          remedy: "Check the path and its permissions.", cause: error))
      return []
    }
    return names.flatMap { name in
      found(folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)")
    }
  }

  private func found(_ path: String) -> [FilePlace] {
    let status = FileStatus.at(path, followingLinks: false)
    if status?.isFolder == true {
      guard !isForbidden(path) else { return skip(path, "the store's own") }
      return files(in: path)
    }
    if let status, !status.isRegular {
      return skip(path, status.isLink ? "a symbolic link" : "a special file")
    }
    // What cannot be looked into is passed on, and fails where it is worked on.
    let isProtected = try? ProtectedFiles.isProtected(URL(fileURLWithPath: path))
    switch kind {
    case .protected: return isProtected == false ? [] : [.file(path)]
    case .plain:
      if isProtected == true { return skip(path, "protected already") }
      if path.hasSuffix(".atrest-journal") { return skip(path, "part of a protected file") }
      return [.file(path)]
    }
  }

  private func skip(_ path: String, _ reason: String) -> [FilePlace] {
    if kind == .plain, !isQuiet { Output.note("\(path) is \(reason): skipped.") }
    return []
  }

  private func isForbidden(_ path: String) -> Bool {
    guard !forbidden.isEmpty else { return false }
    let path = Self.resolved(path)
    return forbidden.contains { path == $0 || path.hasPrefix($0 + "/") }
  }

  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}
