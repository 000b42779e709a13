import AtRestCrypto
import AtRestKeybag
import Foundation
import Synchronization

/// Reads a tree: its entries, and the digests of its files.
final class FolderWalk: Sendable {
  private let name: String
  private let folders = Mutex<[[UInt8]: WalkedFolder]>([:])

  init(_ folder: URL) { name = folder.path }

  /// Opens a folder of the tree. Throws if it is not the folder that the walk found.
  private func folder(_ relative: [UInt8]) throws -> OpenFolder {
    guard let folder = folders.withLock({ $0[relative] }) else {
      preconditionFailure("A folder that was not walked.")
    }
    return try folder.open()
  }

  /// Returns the folder of an entry, and the entry's name in it.
  private static func parts(_ relative: [UInt8]) -> (folder: [UInt8], name: [CChar]) {
    let slash = relative.lastIndex(of: UInt8(ascii: "/"))
    let name = relative[(slash.map { $0 + 1 } ?? 0)...]
    return (Array(relative[..<(slash ?? 0)]), name.map(CChar.init(bitPattern:)) + [0])
  }

  private func name(_ relative: [UInt8]) -> String {
    relative.isEmpty ? name : "\(name)/\(RelativePath(relative))"
  }

  // MARK: Entries

  /// Returns all entries, ordered by path. The digests of files are still empty.
  func entries(leavingOut excluded: [URL], meter: ProgressMeter) throws -> [FolderManifest.Entry] {
    let excluded = Set(try excluded.compactMap(relativePath))
    var entries: [FolderManifest.Entry] = []
    try openRoot()
    var waiting: [[UInt8]] = [[]]
    while let folder = waiting.popLast() {
      try meter.check()
      let open = try self.folder(folder)
      for part in try open.names() {
        let path = folder.isEmpty ? part : folder + [UInt8(ascii: "/")] + part
        guard path.count <= RelativePath.longest else {
          throw AtRestError.invalid(
            "A path in \(name(folder)) has more than \(RelativePath.longest) bytes.",
            remedy: "Shorten it, or stamp a folder further down.")
        }
        let (entry, status) = try entry(path, in: open)
        if entry.kind == .folder {
          waiting.append(path)
          folders.withLock { folders in
            folders[path] = folders[folder].map { WalkedFolder(part, in: $0, identity: status) }
          }
        } else if excluded.contains(entry.path) {
          continue
        }
        entries.append(entry)
        guard entries.count <= FolderManifest.mostEntries else {
          throw AtRestError.invalid(
            "\(name) has more than \(FolderManifest.mostEntries) entries.",
            remedy: "Make manifests of the folders in it.")
        }
      }
    }
    entries.sort { $0.path < $1.path }
    return entries
  }

  /// Opens the root, which may be a link. Below it, a folder that became a link after it was listed
  /// is not followed.
  private func openRoot() throws {
    do {
      let root = try WalkedFolder(name)
      folders.withLock { $0 = [[]: root] }
    } catch {
      guard let status = SystemPath.status(name), status.st_mode & S_IFMT != S_IFDIR else {
        throw error
      }
      throw AtRestError.invalid("\(name) is not a folder.", remedy: "Stamp it as a file.")
    }
  }

  private func entry(
    _ relative: [UInt8], in folder: OpenFolder
  ) throws -> (FolderManifest.Entry, FileStatus) {
    let own = Self.parts(relative).name
    guard let status = folder.status(of: own) else {
      // The entry was listed a moment ago.
      guard errno != ENOENT else { throw PathError.changedMeanwhile(name(relative)) }
      throw PathError.current("inspect", name(relative))
    }
    let kind: FolderManifest.Kind
    switch status.st_mode & S_IFMT {
    case S_IFREG: kind = .file
    case S_IFDIR: kind = .folder
    case S_IFLNK: kind = .link
    case S_IFIFO: kind = .pipe
    case S_IFSOCK: kind = .socket
    case S_IFCHR: kind = .characterDevice
    case S_IFBLK: kind = .blockDevice
    default:
      throw AtRestError.invalid(
        "\(name(relative)) is of a kind that cannot be stamped.", remedy: "Move it elsewhere.")
    }
    let isDevice = kind == .characterDevice || kind == .blockDevice
    let entry = FolderManifest.Entry(
      path: RelativePath(relative), kind: kind,
      permissions: kind == .link ? 0 : UInt16(status.st_mode & 0o7777),
      size: kind == .file ? UInt64(status.st_size) : 0, digest: Data(),
      target: kind == .link ? try target(own, in: folder, relative) : [],
      device: isDevice ? UInt64(truncatingIfNeeded: status.st_rdev) : 0)
    return (entry, FileStatus(status))
  }

  private func target(
    _ own: [CChar], in folder: OpenFolder, _ relative: [UInt8]
  ) throws -> [UInt8] {
    var buffer = [CChar](repeating: 0, count: RelativePath.longest + 1)
    let count = readlinkat(folder.descriptor, own, &buffer, buffer.count)
    guard count >= 0 else { throw PathError.current("read the link", name(relative)) }
    guard count <= RelativePath.longest else {
      throw AtRestError.invalid(
        "The link \(name(relative)) has a target of more than \(RelativePath.longest) bytes.",
        remedy: "Move it elsewhere.")
    }
    return buffer[0..<count].map(UInt8.init(bitPattern:))
  }

  /// Returns the path of a file relative to the root, or nil if the file is outside the tree. The
  /// file need not exist.
  private func relativePath(_ file: URL) throws -> RelativePath? {
    let parent = SystemPath.url(file.path).deletingLastPathComponent().path
    guard let root = SystemPath.real(name) else { throw PathError.current("open", name) }
    guard let folder = SystemPath.real(parent) else { return nil }
    let path = SystemPath.bytes(folder) + [UInt8(ascii: "/")]
    var prefix = SystemPath.bytes(root)
    if prefix.last != UInt8(ascii: "/") { prefix.append(UInt8(ascii: "/")) }
    guard path.starts(with: prefix) else { return nil }
    return RelativePath(path.dropFirst(prefix.count) + Array(file.lastPathComponent.utf8))
  }

  // MARK: Contents

  /// Computes the digests of files, on all processors.
  func hash(
    _ entries: inout [FolderManifest.Entry], at indices: [Int], meter: ProgressMeter
  ) throws {
    guard !indices.isEmpty else { return }
    meter.expect(indices.reduce(0) { $0 &+ entries[$1].size })
    struct State {
      var next = 0
      var digests: [Data]
      var error: (any Error)?
    }
    let state = Mutex(State(digests: Array(repeating: Data(), count: indices.count)))
    let files = entries
    let workers = min(ProcessInfo.processInfo.activeProcessorCount, indices.count)
    DispatchQueue.concurrentPerform(iterations: workers) { _ in
      let buffer = ReadBuffer()
      while true {
        let turn = state.withLock { state -> Int? in
          guard state.error == nil, state.next < indices.count else { return nil }
          defer { state.next += 1 }
          return state.next
        }
        guard let turn else { return }
        do {
          let digest = try digest(of: files[indices[turn]], meter: meter, buffer: buffer)
          state.withLock { $0.digests[turn] = digest }
        } catch {
          state.withLock { $0.error = $0.error ?? error }
          return
        }
      }
    }
    let (digests, error) = state.withLock { ($0.digests, $0.error) }
    if let error { throw error }
    for (turn, index) in indices.enumerated() { entries[index].digest = digests[turn] }
  }

  private func digest(
    of entry: FolderManifest.Entry, meter: ProgressMeter, buffer: ReadBuffer
  ) throws -> Data {
    let name = name(entry.path.bytes)
    let file: ContentFile
    let (folder, own) = Self.parts(entry.path.bytes)
    do {
      file = try ContentFile(own, in: self.folder(folder), path: name)
    } catch AtRestError.Code.notFound, AtRestError.Code.invalidArgument {
      // The entry was a file a moment ago.
      throw PathError.changedMeanwhile(name)
    }
    guard file.size == entry.size else { throw file.changedMeanwhile() }
    return try file.digest(meter: meter, buffer: buffer).digest
  }
}
