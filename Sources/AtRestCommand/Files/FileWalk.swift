import AtRestCrypto
import AtRestFiles
import AtRestKeybag
import CAtRestSystem
import Foundation

/// Finds the files that the user named, and the files in the named folders.
///
/// The search of a folder stays on the folder's file system, and never enters a store of AtRest or a
/// file system that is a view of the running system, such as `/proc`. A folder or file that is left
/// out is named in a note.
struct FileWalk {
  /// The kind of files that are processed in a folder.
  enum Kind {
    case plain, protected
  }

  let kind: Kind
  let failures: Failures
  let isQuiet: Bool
  /// Folders whose files are never touched, with links resolved.
  private let forbidden: [String]
  /// The identities of the forbidden folders, by which a walk recognises them.
  private let forbiddenFolders: Set<FileIdentity>

  init(_ kind: Kind, failures: Failures, isQuiet: Bool, forbidden: [URL] = []) {
    self.kind = kind
    self.failures = failures
    self.isQuiet = isQuiet
    self.forbidden = forbidden.map { Self.resolved($0.path) }
    forbiddenFolders = Set(forbidden.compactMap { FileStatus.at($0.path)?.identity })
  }

  /// Returns the files. The files of a folder are sorted by name. If the folders have none, a note says so.
  func places(_ arguments: [String]) -> [FilePlace] {
    let places = found(arguments)
    if places.isEmpty, failures.isEmpty, !isQuiet {
      let files = kind == .plain ? "files to protect" : "protected files"
      Output.note("There are no \(files) in \(arguments.joined(separator: ", ")).")
    }
    return places
  }

  private func found(_ arguments: [String]) -> [FilePlace] {
    arguments.flatMap { argument -> [FilePlace] in
      let place = FilePlace(argument)
      guard let path = place.path else {
        guard StandardInput.isClosed else { return [place] }
        failures.report(StandardInput.closed)
        return []
      }
      if isForbidden(path) {
        failures.report(
          .invalid(
            "\(path) is part of the store.",
            remedy: "The store protects its own files. Pass other files."))
        return []
      }
      guard let status = place.status, status.isFolder else { return [Self.held(place, path)] }
      if let refusal = refusal(of: path, status) {
        failures.report(refusal)
        return []
      }
      do {
        return files(in: try WalkedFolder(path))
      } catch {
        return refuse(path, error)
      }
    }
  }

  /// Returns the reason why a folder is not searched, or nil.
  private func refusal(of path: String, _ status: FileStatus) -> AtRestError? {
    if SystemPath.with(path, { atrest_is_system_view($0) }) != 0 {
      return .invalid(
        "\(path) shows the running system, and contains no files of yours.",
        remedy: "Pass other folders.")
    }
    if kind == .plain, FileStatus.at("/")?.isSameFile(as: status) == true {
      return .invalid(
        "\(path) is the whole system, which needs its files as they are.",
        remedy: "Pass the folders that contain your files.")
    }
    return nil
  }

  /// Returns a named regular file as an entry of its folder, which is opened now. A link is
  /// returned unchanged, and followed later.
  private static func held(_ place: FilePlace, _ path: String) -> FilePlace {
    let name = SystemPath.name(of: path)
    guard let status = FileStatus.at(path, followingLinks: false), status.isRegular, name != "",
      let folder = try? WalkedFolder(SystemPath.folder(of: path), shown: name == path ? "" : nil)
    else { return place }
    return .walked(WalkedEntry(name, in: folder, found: status))
  }

  private func files(in folder: WalkedFolder) -> [FilePlace] {
    guard folder.depth <= WalkedFolder.greatestDepth else {
      failures.report(
        .invalid(
          "\(folder.path) is more than \(WalkedFolder.greatestDepth) levels below the named folder.",
          remedy: "Pass a folder further down."))
      return []
    }
    do {
      // The folder is held open while its subfolders are walked, because each subfolder is opened
      // by its name in the folder.
      let open = try folder.open()
      return try entries(of: folder, open).flatMap { entry in
        switch entry {
        case .file(let places): places
        case .folder(let inner): files(in: inner)
        }
      }
    } catch {
      return refuse(folder.path, error)
    }
  }

  private func refuse(_ folder: String, _ error: any Error) -> [FilePlace] {
    failures.report(
      AtRestError(
        .system, "Could not read the folder \(folder).",
        remedy: "Check the path and its permissions.", cause: error))
    return []
  }

  private enum Entry {
    case file([FilePlace])
    case folder(WalkedFolder)
  }

  private func entries(of folder: WalkedFolder, _ open: OpenFolder) throws -> [Entry] {
    let names = try open.names().map { (bytes: $0, text: SystemPath.text($0)) }
    if kind == .plain, Self.isStore(Set(names.map(\.text))) {
      return [.file(skip(folder.path, "a store of AtRest"))]
    }
    return names.sorted { $0.text < $1.text }.map { name in
      found(name.bytes, name.text, in: folder, open)
    }
  }

  /// Returns true if a folder with these files is a store or the folder of a device key, perhaps not
  /// the ones that the command uses.
  private static func isStore(_ names: Set<String>) -> Bool {
    names.isSuperset(of: ["keybag", "keychain.db"])
      || names.contains("device.key") && names.contains { $0.hasSuffix(".counter") }
  }

  private func found(
    _ bytes: [UInt8], _ name: String, in folder: WalkedFolder, _ open: OpenFolder
  ) -> Entry {
    let path = open.path(name)
    let status = open.status(of: name).map(FileStatus.init)
    if let status, status.isFolder {
      // Only folders are compared: the files of an overlay can have the numbers of its layers.
      guard status.device == folder.device else {
        if !isQuiet { Output.note("\(path) is on another file system, skipped.") }
        return .file([])
      }
      guard !forbiddenFolders.contains(status.identity) else {
        return .file(skip(path, "part of the store"))
      }
      return .folder(WalkedFolder(bytes, in: folder, identity: status))
    }
    if let status, !status.isRegular {
      return .file(skip(path, status.isLink ? "a symbolic link" : "a special file"))
    }
    let place = FilePlace.walked(WalkedEntry(name, in: folder, found: status))
    // A file that cannot be examined is passed on, and fails when it is processed.
    let isProtected = try? place.isProtected
    switch kind {
    case .protected: return .file(isProtected == false ? [] : [place])
    case .plain:
      if isProtected == true { return .file(skip(path, "already protected")) }
      if path.hasSuffix(".atrest-journal") {
        return .file(skip(path, "part of a protected file"))
      }
      return .file([place])
    }
  }

  private func skip(_ path: String, _ reason: String) -> [FilePlace] {
    if kind == .plain, !isQuiet { Output.note("\(path) is \(reason), skipped.") }
    return []
  }

  private func isForbidden(_ path: String) -> Bool {
    guard !forbidden.isEmpty else { return false }
    let path = Self.resolved(path)
    return forbidden.contains { SystemPath.isPath(path, in: $0) }
  }

  private static func resolved(_ path: String) -> String {
    SystemPath.real(path) ?? path
  }
}
