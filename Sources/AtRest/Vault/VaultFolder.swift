import AtRestCrypto
import AtRestFiles
import AtRestKeybag
import Foundation

/// The vault's folder: the marker of the installation, and a folder of files for each compartment.
final class VaultFolder: Sendable {
  let url: URL
  private let storage: FolderStorage
  private static let marker = "installation"
  private var values: URL { url.appendingPathComponent("values", isDirectory: true) }

  init(_ url: URL) {
    self.url = url
    storage = FolderStorage(url)
  }

  // MARK: The installation

  /// What a folder says of itself: the installation, the store that has its items, and the vault.
  struct Marker: Equatable {
    let installation: Data
    let store: Data
    /// The same for one name and access group.
    let vault: Data

    init(_ installation: Data, store: Data, vault: Data) {
      self.installation = installation
      self.store = store
      self.vault = vault
    }

    fileprivate init(_ bytes: Data) {
      let count = Registry.idCount
      installation = bytes.prefix(count)
      store = bytes.dropFirst(count).prefix(count)
      vault = bytes.suffix(count)
    }

    fileprivate var bytes: Data { installation + store + vault }
  }

  /// - Returns: nil for a new folder.
  /// - Throws: ``AtRestError/Code/damaged``, ``AtRestError/Code/system``.
  func marker() throws -> Marker? {
    guard let bytes = try storage.read(Self.marker) else { return nil }
    guard bytes.count == 3 * Registry.idCount else {
      throw AtRestError.damaged(
        "\(storage.path(Self.marker)) is not the marker of an installation.",
        remedy: "Restore the folder, or delete it: the vault is then as newly installed.")
    }
    return Marker(bytes)
  }

  func mark(_ marker: Marker) throws {
    try storage.replace(Self.marker, with: marker.bytes)
  }

  /// Removes everything, the marker last.
  func clear() throws {
    try removeAll(values)
    try storage.destroy(Self.marker)
  }

  // MARK: Files

  func file(_ id: Data, of compartment: Data) -> URL {
    folder(of: compartment).appendingPathComponent(id.hexadecimal)
  }

  private func folder(of compartment: Data) -> URL {
    values.appendingPathComponent(compartment.hexadecimal, isDirectory: true)
  }

  func makeFolder(of compartment: Data) throws {
    let folder = folder(of: compartment)
    guard mkdir(folder.path, 0o700) != 0, errno != EEXIST else { return }
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw AtRestError(
        .system, "The folder \(folder.path) cannot be made.",
        remedy: "Check the permissions and the free space of its disk.", cause: error)
    }
    try SystemCall.flushFolder(values.path)
    try SystemCall.flushFolder(url.path)
  }

  /// Removes a file whose item is gone. What cannot be removed now is at the next opening.
  func remove(_ id: Data, of compartment: Data) { unlink(file(id, of: compartment).path) }

  func remove(_ compartment: Data) throws { try removeAll(folder(of: compartment)) }

  func removeAllFiles() throws { try removeAll(values) }

  /// Removes what no item refers to: what a crash left, between a file and its item.
  ///
  /// - Parameters:
  ///   - compartments: Those that there are; folders of others go.
  ///   - ids: The files of each that are referred to, or nil where that cannot be told now.
  func collect(_ compartments: Set<Data>, keeping ids: [Data: Set<Data>?]) {
    let manager = FileManager.default
    let folders = Dictionary(uniqueKeysWithValues: compartments.map { ($0.hexadecimal, $0) })
    for name in (try? manager.contentsOfDirectory(atPath: values.path)) ?? [] {
      let folder = values.appendingPathComponent(name, isDirectory: true)
      guard let compartment = folders[name] else {
        try? manager.removeItem(at: folder)
        continue
      }
      guard let kept = ids[compartment] ?? nil else { continue }
      let names = Set(kept.map(\.hexadecimal))
      for file in (try? manager.contentsOfDirectory(atPath: folder.path)) ?? []
      where !names.contains(file) {
        unlink(folder.appendingPathComponent(file).path)
      }
    }
  }

  private func removeAll(_ folder: URL) throws {
    do {
      try FileManager.default.removeItem(at: folder)
    } catch {
      guard FileManager.default.fileExists(atPath: folder.path) else { return }
      throw AtRestError(
        .system, "The folder \(folder.path) cannot be removed.",
        remedy: "Check its permissions, and open the vault again: it goes on from here.",
        cause: error)
    }
  }

  // MARK: In turn with other processes

  /// Runs work with the folder held: opening and clearing exclude one another.
  func exclusively<Result>(_ body: () throws -> Result) throws -> Result {
    try storage.exclusively(body)
  }

  /// Held while a file has no item yet, so that nobody collects it.
  final class WriteLock: Sendable {
    private let descriptor: Int32
    fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }
    deinit { close(descriptor) }
  }

  func lockForWriting() throws -> WriteLock {
    guard let lock = try lock(LOCK_SH) else { throw SystemCall.error("lock", url.path) }
    return lock
  }

  /// nil where somebody writes a file now.
  func lockForCollecting() throws -> WriteLock? { try lock(LOCK_EX | LOCK_NB) }

  private func lock(_ kind: Int32) throws -> WriteLock? {
    let path = storage.path("writing")
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw SystemCall.error("open", path) }
    let lock = WriteLock(file)
    while flock(file, kind) != 0 {
      if errno == EINTR { continue }
      if errno == EWOULDBLOCK { return nil }
      throw SystemCall.error("lock", path)
    }
    return lock
  }
}
