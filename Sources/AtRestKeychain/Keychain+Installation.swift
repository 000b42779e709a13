import AtRestCrypto
import AtRestKeybag
import Crypto
import Foundation

/// The deletion of items that an earlier installation of the application left. Items outlive the
/// application, because they are not in its folder.
extension Keychain {
  /// The kind of launch that `beginInstallation(in:group:acceptingOtherFolder:)` determined.
  public enum Launch: String, Sendable, Codable {
    /// The first launch. No earlier installation is known, and nothing was deleted.
    case first
    /// The first launch of this installation. The items of an earlier installation were deleted.
    case firstAfterReinstallation
    /// A later launch.
    case further
  }

  /// Deletes the items that an earlier installation of the application left in an access group.
  /// Call this method at each launch, before the first call of Keychain Services.
  ///
  /// ```swift
  /// try DefaultKeychain.get().beginInstallation(in: applicationSupport)
  /// ```
  ///
  /// The method writes a marker into the folder, and the device remembers that an installation was
  /// begun there. If the device remembers one and the folder has no marker, the application was
  /// deleted and installed again. Without such a memory nothing is deleted, so that an update of the
  /// application that introduces this call loses no items. A marker or a memory that cannot be read
  /// decides nothing: the method throws.
  ///
  /// Deleting needs no unlock.
  ///
  /// - Parameters:
  ///   - folder: A folder in the application's own data, which is deleted with the application. It
  ///     is created with mode 0700 if it does not exist. If its disk is not mounted, the
  ///     application seems to be newly installed, so choose a folder on the same disk as the program.
  ///   - group: The access group, or nil for the default group. A group that other applications use
  ///     too is wiped for them as well.
  ///   - acceptingOtherFolder: True if the application's folder may be in another place after a
  ///     reinstallation. Without this, a second folder is refused: it may be that of another program
  ///     with the same group.
  /// - Returns: The kind of launch.
  /// - Throws: ``AtRestError/Code/notPermitted`` if the installation was begun in another folder;
  ///   ``AtRestError/Code/damaged``, ``AtRestError/Code/notPermitted`` or
  ///   ``AtRestError/Code/system`` if the marker or the memory cannot be read or written;
  ///   ``AtRestError/Code/missingEntitlement`` for a group that is not the application's;
  ///   ``AtRestError/Code/invalidArgument`` inside a transaction; otherwise the errors of
  ///   `deleteAllItems(in:)`. If the call throws, call it again at the next launch.
  @discardableResult
  public func beginInstallation(
    in folder: URL, group: String? = nil, acceptingOtherFolder: Bool = false
  ) throws -> Launch {
    let storage = FolderStorage(folder, followsLink: false)
    return try storage.exclusively {
      try beginInstallation(
        inLocked: storage, group: group, acceptingOtherFolder: acceptingOtherFolder)
    }
  }

  /// Begins an installation in a folder whose lock the caller holds.
  ///
  /// - Parameters:
  ///   - isKnown: True if the folder is known to belong to this installation, so that nothing may be
  ///     deleted.
  ///   - hasFormerItems: True if something else than the memory shows that there are items of an
  ///     earlier installation.
  @discardableResult
  package func beginInstallation(
    inLocked storage: FolderStorage, group: String? = nil, acceptingOtherFolder: Bool = false,
    isKnown: Bool = false, hasFormerItems: Bool = false
  ) throws -> Launch {
    guard !isInTransaction else {
      throw AtRestError.invalid(
        "An installation cannot begin in a transaction.",
        remedy: "Call this before the transaction.")
    }
    let installation = try Installation(self, storage, group ?? identity.defaultGroup)
    let (launch, id) = try installation.launch(
      acceptingOtherFolder: acceptingOtherFolder, isKnown: isKnown)
    switch launch {
    case .further: break
    case .first where !hasFormerItems:
      // The marker is written first: after a crash, the items must not seem to be left over.
      try installation.mark(id)
    case .first, .firstAfterReinstallation:
      // Deleting can be refused, so it comes before the marker, which says that nothing is left.
      try deleteAllItems(in: installation.group)
      // The memory goes before the marker is written. If that fails, nothing is deleted again.
      try installation.forget()
      try installation.mark(id)
    }
    try installation.remember(id)
    return launch
  }

  /// Returns the kind of launch that `beginInstallation(inLocked:)` would determine, and changes
  /// nothing.
  package func launch(inLocked storage: FolderStorage) throws -> Launch {
    try Installation(self, storage, identity.defaultGroup)
      .launch(acceptingOtherFolder: true, isKnown: false).launch
  }

  /// Deletes all items of an access group, of every class, synchronizable or not, in one durable step.
  ///
  /// Deleting needs no unlock in this process. An agent asks for a grant that allows to write, and for a
  /// first unlock.
  ///
  /// - Parameter group: The access group, or nil for the default group.
  /// - Returns: The number of deleted items.
  /// - Throws: The errors of `delete(matching:)`.
  @discardableResult
  public func deleteAllItems(in group: String? = nil) throws -> Int {
    try backend.deleteAll(in: group ?? identity.defaultGroup)
  }
}

/// An installation of an application, for one store and one access group: the marker in the
/// application's folder, and the device's memory. See `docs/Formats.md`.
private struct Installation {
  let group: String
  private let storage: FolderStorage
  private let device: any DeviceKeyProvider
  /// The name of the marker.
  private let markerName: String
  /// The name of the memory.
  private let memoryName: String
  /// The keyed hash of the folder's path.
  private let place: Data

  private static let magic = Data("AtRestIn\u{1}".utf8)
  private static let idCount = 16

  init(_ keychain: Keychain, _ storage: FolderStorage, _ group: String) throws {
    try keychain.identity.check(group)
    self.group = group
    self.storage = storage
    let (keybag, store) = (keychain.keybag, keychain.keybag.store)
    device = keybag.device
    func digest(_ data: Data) -> StoreIdentity {
      StoreIdentity(Data(SHA256.hash(data: data).prefix(Self.idCount)))
    }
    markerName = "keychain-installation-\(digest(store.bytes + Data(group.utf8)))"
    memoryName = "\(store)-installation-\(digest(Data(group.utf8)))"
    let path = SecretBytes(utf8: RealPath.of(storage.folder))
    place = Data(copying: try device.tangle(path, purpose: .installationFolder))
      .prefix(Self.idCount)
  }

  /// Returns the kind of launch, and the identity of the installation.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if the marker or the memory has other contents.
  func launch(
    acceptingOtherFolder: Bool, isKnown: Bool
  ) throws -> (launch: Keychain.Launch, id: Data) {
    let memory = try read(device.recall(memoryName), count: 2 * Self.idCount, "The device's memory")
    let marker = try read(
      storage.read(markerName), count: Self.idCount, storage.path(markerName))
    switch (marker, memory) {
    case (let marker?, nil): return (.further, marker)
    case (let marker?, let memory?) where memory.prefix(Self.idCount) == marker:
      return (.further, marker)
    case (nil, let memory?) where isKnown: return (.first, memory.prefix(Self.idCount))
    case (nil, nil): return (.first, RandomBytes.data(count: Self.idCount))
    case (nil, let memory?) where memory.suffix(Self.idCount) == place || acceptingOtherFolder:
      return (.firstAfterReinstallation, RandomBytes.data(count: Self.idCount))
    default:
      throw AtRestError(
        .notPermitted,
        "\(storage.folder.path) is not the folder in which the installation for the access group "
          + "\(group) was begun.",
        remedy: "Use the same folder at each launch, or another access group. If the application "
          + "was installed again with another folder, pass acceptingOtherFolder: true; the former "
          + "items are then deleted.")
    }
  }

  private func read(_ contents: Data?, count: Int, _ name: String) throws -> Data? {
    guard let contents else { return nil }
    guard contents.count == Self.magic.count + count, contents.starts(with: Self.magic) else {
      throw AtRestError.damaged(
        "\(name) of an installation is damaged.",
        remedy: "Restore it from a backup. No item was deleted.")
    }
    return contents.dropFirst(Self.magic.count)
  }

  func mark(_ id: Data) throws { try storage.replace(markerName, with: Self.magic + id) }

  func remember(_ id: Data) throws {
    let memory = Self.magic + id + place
    guard try device.recall(memoryName) != memory else { return }
    try device.remember(memory, as: memoryName, durably: true)
  }

  func forget() throws { try device.forget(memoryName) }
}

extension Purpose {
  fileprivate static let installationFolder = Purpose("atrest.installation-folder.v1")
}
