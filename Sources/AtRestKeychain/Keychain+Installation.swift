import AtRestCrypto
import AtRestKeybag
import Crypto
import Foundation

/// The deletion of items that an earlier installation of the application left. Items outlive the
/// application, because they are not in its folder.
extension Keychain {
  /// The kind of launch that ``beginInstallation(in:group:)`` determined.
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
  /// The method writes a marker into the folder, and remembers on the device that an installation
  /// was begun. If the device remembers one and the folder has no marker, the application was
  /// deleted and installed again. Without such a memory nothing is deleted, so that an update of the
  /// application that introduces this call loses no items. A folder or marker that cannot be read
  /// decides nothing: the method throws.
  ///
  /// Deleting needs no unlock. ``AtRestSimulation`` and folders on a disk behave alike.
  ///
  /// - Parameters:
  ///   - folder: A folder in the application's own data, which is deleted with the application. It
  ///     is created with mode 0700 if it does not exist. If its disk is not mounted, the
  ///     application seems to be newly installed, so choose a folder on the same disk as the program.
  ///   - group: The access group, or nil for the default group. A group that other applications use
  ///     too is wiped for them as well.
  /// - Returns: The kind of launch.
  /// - Throws: ``AtRestError/Code/damaged``, ``AtRestError/Code/notPermitted`` or
  ///   ``AtRestError/Code/system`` if the marker cannot be read or written;
  ///   ``AtRestError/Code/missingEntitlement`` for a group that is not the application's;
  ///   ``AtRestError/Code/invalidArgument`` inside a transaction; otherwise the errors of
  ///   ``deleteAllItems(in:)``. If the call throws, call it again at the next launch.
  @discardableResult
  public func beginInstallation(in folder: URL, group: String? = nil) throws -> Launch {
    guard !isInTransaction else {
      throw AtRestError.invalid(
        "An installation cannot begin in a transaction.",
        remedy: "Call this before the transaction.")
    }
    let group = group ?? identity.defaultGroup
    try identity.check(group)
    let storage = FolderStorage(folder, followsLink: false)
    return try storage.exclusively {
      let marker = InstallationMarker(storage: storage)
      let memory = InstallationMemory(keybag: keybag, group: group)
      if try marker.exists() {
        try memory.remember()
        return .further
      }
      guard try memory.exists() else {
        // The marker is written first: after a crash, the items must not seem to be left over.
        try marker.write()
        try memory.remember()
        return .first
      }
      try deleteAllItems(in: group)
      try memory.forget()
      try marker.write()
      try memory.remember()
      return .firstAfterReinstallation
    }
  }

  /// Deletes all items of an access group, of every class, synchronizable or not. Deleting needs no
  /// unlock, and happens in one durable step.
  ///
  /// - Parameter group: The access group, or nil for the default group.
  /// - Returns: The number of deleted items.
  /// - Throws: The errors of `delete(matching:)`.
  @discardableResult
  public func deleteAllItems(in group: String? = nil) throws -> Int {
    try transaction {
      try ItemClass.allCases.reduce(0) { count, itemClass in
        try count
          + delete(
            matching: KeychainQuery(
              itemClass, group: group ?? identity.defaultGroup, synchronizable: .any))
      }
    }
  }

  /// Deletes the items of an earlier installation, off the caller's actor.
  @discardableResult
  public func beginInstallation(in folder: URL, group: String? = nil) async throws -> Launch {
    try await offActor { try self.beginInstallation(in: folder, group: group) }
  }

  /// Deletes all items of an access group, off the caller's actor.
  @discardableResult
  public func deleteAllItems(in group: String? = nil) async throws -> Int {
    try await offActor { try self.deleteAllItems(in: group) }
  }
}

/// The file in the application's folder that shows that this installation was launched before.
private struct InstallationMarker {
  let storage: FolderStorage
  private static let name = "keychain-installation"
  private static let contents = Data("AtRestIn\u{1}".utf8)

  /// - Throws: ``AtRestError/Code/damaged`` if the file has other contents.
  func exists() throws -> Bool {
    guard let contents = try storage.read(Self.name) else { return false }
    guard contents == Self.contents else {
      throw AtRestError.damaged(
        "\(storage.path(Self.name)) is not the marker of an installation.",
        remedy: "Restore it from a backup. If you delete it, the application seems to be newly "
          + "installed, and its items are deleted.")
    }
    return true
  }

  func write() throws { try storage.replace(Self.name, with: Self.contents) }
}

/// The device's memory of an installation that was begun for an access group of a store.
private struct InstallationMemory {
  private let device: any DeviceKeyProvider
  private let name: String

  init(keybag: Keybag, group: String) {
    device = keybag.device
    let digest = Data(SHA256.hash(data: Data(group.utf8)).prefix(16))
    name = "\(keybag.store)-installation-\(StoreIdentity(digest))"
  }

  func exists() throws -> Bool { try device.recall(name) != nil }
  func remember() throws {
    if try !exists() { try device.remember(Data([1]), as: name, durably: true) }
  }
  func forget() throws { try device.forget(name) }
}
