@_spi(Tools) import AtRestCrypto
import AtRestDatabase
import AtRestFiles
import AtRestKeybag
import AtRestKeychain
import Foundation

/// The vault's folder, which contains the marker of the installation and, for each compartment, a
/// folder of files.
final class VaultFolder: Sendable {
  let url: URL
  private let storage: FolderStorage
  private static let marker = "installation"
  private static let values = "values"

  init(_ url: URL) {
    self.url = url
    storage = FolderStorage(url, followsLink: false)
  }

  /// Opens the folder that contains the compartments' folders, or returns nil if it does not exist.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if that folder or the vault's folder is a link or a
  ///   file.
  private func values() throws -> OpenFolder? { try storage.opened()?.folder(Self.values) }

  /// Checks the vault's folders.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if one of them is a link or a file.
  func check() throws {
    guard let values = try values() else { return }
    for name in try Self.ownNames(in: values) { _ = try values.folder(name) }
  }

  /// Returns the names in a folder that have the form of the vault's own names: the 32 hexadecimal
  /// digits of a compartment or value, or the name of an unfinished file. The vault removes nothing
  /// else.
  ///
  /// - Parameter ends: The ends that may follow the digits.
  private static func ownNames(
    in folder: OpenFolder, ends: [String] = []
  ) throws -> [String] {
    try folder.names().map { String(decoding: $0, as: UTF8.self) }.filter { name in
      let digits = name.utf8.prefix(2 * Registry.idCount)
      let rest = name.utf8.dropFirst(digits.count)
      return digits.count == 2 * Registry.idCount
        && digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        && (rest.isEmpty || rest.starts(with: ".new-".utf8)
          || ends.contains { rest.elementsEqual($0.utf8) })
    }
  }

  // MARK: The installation

  /// The contents of a folder's marker: the identities of the installation, of the store that holds
  /// the items, and of the vault.
  struct Marker: Equatable {
    let installation: Data
    let store: Data
    /// The vault's identity, which depends only on its name and access group.
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

  /// - Returns: The marker, or nil for a new folder.
  /// - Throws: ``AtRestError/Code/damaged``, ``AtRestError/Code/system``.
  func marker() throws -> Marker? {
    guard let bytes = try storage.read(Self.marker) else { return nil }
    guard bytes.count == 3 * Registry.idCount else {
      throw AtRestError.damaged(
        "\(storage.path(Self.marker)) is not the marker of an installation.",
        remedy: "Restore the folder, or delete it. The vault is then as if newly installed.")
    }
    return Marker(bytes)
  }

  func mark(_ marker: Marker) throws {
    try storage.replace(Self.marker, with: marker.bytes)
  }

  /// Begins an installation of the application in this folder, whose lock the caller holds.
  @discardableResult
  func beginInstallation(
    _ keychain: Keychain, acceptingOtherFolder: Bool = false, isKnown: Bool = false,
    hasFormerItems: Bool = false
  ) throws -> Keychain.Launch {
    try keychain.beginInstallation(
      inLocked: storage, acceptingOtherFolder: acceptingOtherFolder, isKnown: isKnown,
      hasFormerItems: hasFormerItems)
  }

  func launch(_ keychain: Keychain) throws -> Keychain.Launch {
    try keychain.launch(inLocked: storage)
  }

  /// Removes everything that a vault creates in its folder, and the marker last.
  func clear() throws {
    try removeAllFiles()
    try storage.destroy(Self.marker)
  }

  // MARK: Files

  /// Returns the entry of a value's file, or nil if the compartment's folder is missing.
  ///
  /// - Throws: The errors of ``check()``.
  func file(_ id: Data, of compartment: Data) throws -> FolderEntry? {
    try values()?.folder(compartment.hexadecimal).map {
      FolderEntry(id.hexadecimal, in: $0, isPrivate: true)
    }
  }

  /// Returns the entry for a new value's file. Creates the compartment's folder if it is missing.
  ///
  /// - Throws: The errors of ``check()``; ``AtRestError/Code/system``.
  func newFile(_ id: Data, of compartment: Data) throws -> FolderEntry {
    let root = try storage.made()
    func folder(_ name: String, in parent: OpenFolder) throws -> OpenFolder {
      if let folder = try parent.folder(name) { return folder }
      try parent.makeFolder(name)
      try parent.flush()
      guard let folder = try parent.folder(name) else {
        throw SystemCall.error("make the folder", parent.path(name))
      }
      return folder
    }
    let values = try folder(Self.values, in: root)
    return FolderEntry(
      id.hexadecimal, in: try folder(compartment.hexadecimal, in: values), isPrivate: true)
  }

  /// Removes a file whose item is gone. If the file cannot be removed now, it is removed when the
  /// vault is next opened.
  func remove(_ id: Data, of compartment: Data) {
    guard let file = try? file(id, of: compartment) else { return }
    for end in [""] + EncryptedDatabase.companions { _ = file.folder.remove(file.name + end) }
  }

  func remove(_ compartment: Data) throws {
    if let values = try values() { try Self.remove(compartment.hexadecimal, in: values) }
  }

  func removeAllFiles() throws {
    guard let root = try storage.opened(), let values = try root.folder(Self.values) else { return }
    for name in try Self.ownNames(in: values) { try Self.remove(name, in: values) }
    try Self.removeIfEmpty(Self.values, in: root)
  }

  /// Removes files to which no item refers. A crash between writing a file and writing its item
  /// leaves such a file.
  ///
  /// - Parameters:
  ///   - compartments: The compartments that exist. Folders of other compartments are removed.
  ///   - ids: The files of each compartment to which items refer, or nil if these files cannot be
  ///     determined now.
  /// - Throws: The errors of ``check()``; ``AtRestError/Code/system``.
  func collect(_ compartments: Set<Data>, keeping ids: [Data: Set<Data>?]) throws {
    guard let values = try values() else { return }
    let folders = Dictionary(uniqueKeysWithValues: compartments.map { ($0.hexadecimal, $0) })
    for name in try Self.ownNames(in: values) {
      guard let compartment = folders[name] else {
        // The folder no longer belongs to an account. If it cannot be removed now, it is removed
        // when the vault is next opened.
        try? Self.remove(name, in: values)
        continue
      }
      guard let kept = ids[compartment] ?? nil, let folder = try values.folder(name) else {
        continue
      }
      let names = Set(kept.map(\.hexadecimal))
      let all = names.union(
        names.flatMap { name in EncryptedDatabase.companions.map { name + $0 } })
      for file in try Self.ownNames(in: folder, ends: EncryptedDatabase.companions)
      where !all.contains(file) {
        _ = folder.remove(file)
      }
    }
  }

  /// Removes the vault's files in a compartment's folder, and the folder if it is then empty.
  private static func remove(_ compartment: String, in values: OpenFolder) throws {
    guard let folder = try values.folder(compartment) else { return }
    for name in try ownNames(in: folder, ends: EncryptedDatabase.companions) {
      if folder.remove(name) { continue }
      let error = SystemCall.error("remove", folder.path(name))
      // A folder with such a name does not belong to the vault, and stays.
      guard let status = folder.status(of: name), status.st_mode & S_IFMT != S_IFDIR else {
        continue
      }
      throw error
    }
    try removeIfEmpty(compartment, in: values)
  }

  private static func removeIfEmpty(_ name: String, in folder: OpenFolder) throws {
    guard folder.removeFolder(name) || [ENOENT, ENOTEMPTY, EEXIST].contains(errno) else {
      throw SystemCall.error("remove the folder", folder.path(name))
    }
  }

  // MARK: Exclusion of other processes

  /// Runs a closure with the folder locked, so opening and clearing exclude each other.
  func exclusively<Result>(_ body: () throws -> Result) throws -> Result {
    try storage.exclusively(body)
  }

  /// A lock that is held while a file has no item yet, so that no process removes the file.
  final class WriteLock: Sendable {
    private let descriptor: Int32
    fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }
    deinit {
      // A child process that is being started has the descriptor too, so closing it here is not enough.
      flock(descriptor, LOCK_UN)
      close(descriptor)
    }
  }

  func lockForWriting() throws -> WriteLock {
    guard let lock = try lock(LOCK_SH) else { throw SystemCall.error("lock", url.path) }
    return lock
  }

  /// Returns the lock for removing files without an item, or nil if a file is being written now.
  func lockForCollecting() throws -> WriteLock? { try lock(LOCK_EX | LOCK_NB) }

  private func lock(_ kind: Int32) throws -> WriteLock? {
    let name = "writing"
    let path = storage.path(name)
    let opened = try PrivateFile.open(name, in: storage.made(), flags: O_RDWR | O_CREAT)
    guard let file = opened?.descriptor else { throw SystemCall.error("open", path) }
    let lock = WriteLock(file)
    while flock(file, kind) != 0 {
      if errno == EINTR { continue }
      if errno == EWOULDBLOCK { return nil }
      throw SystemCall.error("lock", path)
    }
    return lock
  }
}
