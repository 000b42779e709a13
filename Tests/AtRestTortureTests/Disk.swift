import Foundation

/// A folder on a disk that loses power: which changes are durable, and which are not yet.
///
/// - A flush of a file makes its bytes and its size durable, but not its name.
/// - A flush of a folder makes the names in it durable. A move between two folders is durable when
///   both were flushed, and is never seen half finished.
struct Disk {
  private struct File {
    var durable: Data
    var mode: Int
    /// The changes since the last flush.
    var changes: [Change] = []
  }

  private enum Change {
    case write(Int, Data)
    case resize(Int)
  }

  private enum Entry {
    case file(Int)
    case folder
  }

  private struct NameChange {
    var removed: [String] = []
    var added: [(path: String, entry: Entry)] = []
    /// The folders that still have to be flushed.
    var folders: Set<String>
  }

  /// The part of the changes since the last flush that a disk has kept.
  enum Kept: Hashable {
    case nothing
    case everything
    /// Each sector of 512 bytes is kept or lost at random.
    case sectors(seed: UInt64)
  }

  /// Inode numbers are reused, so files have numbers of their own.
  private var files: [File] = []
  private var numbers: [UInt64: Int] = [:]
  private var names: [String: Entry] = [:]
  private var nameChanges: [NameChange] = []

  /// Starts with everything below a folder as durable.
  init(copying root: URL) throws {
    let root = root.resolvingSymlinksInPath()
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path)
    for path in paths where !path.hasSuffix("-shm") {
      let url = root.appendingPathComponent(path)
      var status = stat()
      guard lstat(url.path, &status) == 0 else { throw CocoaError(.fileReadUnknown) }
      if status.st_mode & S_IFMT == S_IFDIR {
        names[path] = .folder
      } else {
        numbers[UInt64(status.st_ino)] = files.count
        names[path] = .file(files.count)
        files.append(
          File(durable: try Data(contentsOf: url), mode: Int(status.st_mode) & 0o7777))
      }
    }
  }

  // MARK: Events

  mutating func apply(_ event: FileEvent) throws {
    switch event {
    case .create(let number, let path, let mode):
      numbers[number] = files.count
      files.append(File(durable: Data(), mode: mode))
      if !path.isEmpty { add(.file(files.count - 1), as: path) }
    case .resize(let number, let size): try change(number, .resize(size))
    case .write(let number, let offset, let data): try change(number, .write(offset, data))
    case .flush(let number):
      let file = try index(number)
      files[file].durable = Self.content(files[file], .everything)
      files[file].changes = []
    case .flushFolder(let path): flush(path)
    case .rename(let from, let to):
      guard case .file(let file)? = volatileNames()[from] else { throw Surprise(event: event) }
      nameChanges.append(
        NameChange(
          removed: [from], added: [(to, .file(file))],
          folders: [Self.folder(of: from), Self.folder(of: to)]))
    case .link(let number, let path): add(.file(try index(number)), as: path)
    case .unlink(let path), .removeFolder(let path):
      nameChanges.append(NameChange(removed: [path], folders: [Self.folder(of: path)]))
    case .makeFolder(let path): add(.folder, as: path)
    case .said, .cutShort, .ended: break
    case .unknown: throw Surprise(event: event)
    }
  }

  /// A call that the model of a disk does not support.
  struct Surprise: Error {
    let event: FileEvent
  }

  private func index(_ number: UInt64) throws -> Int {
    guard let index = numbers[number] else {
      throw Surprise(event: .unknown("file \(number) was never seen"))
    }
    return index
  }

  private mutating func change(_ number: UInt64, _ change: Change) throws {
    files[try index(number)].changes.append(change)
  }

  private mutating func add(_ entry: Entry, as path: String) {
    nameChanges.append(NameChange(added: [(path, entry)], folders: [Self.folder(of: path)]))
  }

  private static func folder(of path: String) -> String {
    path.split(separator: "/").dropLast().joined(separator: "/")
  }

  private mutating func flush(_ folder: String) {
    var left: [NameChange] = []
    for var change in nameChanges {
      change.folders.remove(folder)
      if change.folders.isEmpty { Self.apply(change, to: &names) } else { left.append(change) }
    }
    nameChanges = left
  }

  private static func apply(_ change: NameChange, to names: inout [String: Entry]) {
    for path in change.removed { names[path] = nil }
    for (path, entry) in change.added { names[path] = entry }
  }

  private func volatileNames() -> [String: Entry] {
    var names = names
    for change in nameChanges { Self.apply(change, to: &names) }
    return names
  }

  // MARK: State after a power loss

  /// Returns the files and folders that a disk may have if it loses power now.
  func afterPowerLoss(keepingNames: Bool, bytes: Kept) -> DiskState {
    let names = keepingNames ? volatileNames() : names
    var state = DiskState()
    for (path, entry) in names {
      // A folder that is lost takes its contents with it.
      var above = Self.folder(of: path)
      var isReachable = true
      while !above.isEmpty {
        if case .folder? = names[above] {} else { isReachable = false }
        above = Self.folder(of: above)
      }
      guard isReachable else { continue }
      switch entry {
      case .folder: state.folders.append(path)
      case .file(let file):
        state.files.append(
          DiskState.File(
            path: path, data: Self.content(files[file], bytes, salt: UInt64(file)),
            mode: files[file].mode))
      }
    }
    state.folders.sort()
    state.files.sort { $0.path < $1.path }
    return state
  }

  private static func content(_ file: File, _ kept: Kept, salt: UInt64 = 0) -> Data {
    var data = file.durable
    guard kept != .nothing else { return data }
    var chance: SeededGenerator?
    if case .sectors(let seed) = kept { chance = SeededGenerator(seed &* 31 &+ salt) }
    func isKept() -> Bool { chance.map { _ in Bool.random(using: &chance!) } ?? true }
    for change in file.changes {
      switch change {
      case .resize(let size):
        guard isKept() else { continue }
        if size < data.count { data = data.prefix(size) } else { grow(&data, to: size) }
      case .write(let offset, let bytes):
        var start = 0
        while start < bytes.count {
          let end = min(bytes.count, (offset + start) / 512 * 512 + 512 - offset)
          if isKept() {
            grow(&data, to: offset + end)
            data.replaceSubrange(
              offset + start..<offset + end,
              with: bytes[bytes.startIndex + start..<bytes.startIndex + end])
          }
          start = end
        }
      }
    }
    return data
  }

  private static func grow(_ data: inout Data, to size: Int) {
    if data.count < size { data.append(Data(count: size - data.count)) }
  }
}
