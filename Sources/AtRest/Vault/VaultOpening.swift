@_spi(Tools) import AtRestCrypto
import AtRestKeychain
import Crypto
import Foundation

/// The opening of a vault: compares the folder's marker with the keychain's registry, wipes what an
/// earlier installation left, and makes what is missing. See `docs/Architecture.md`, *A value of the
/// Vault*.
///
/// Use it once, with the folder's lock held.
struct VaultOpening {
  private let files: VaultFolder
  private let items: VaultItems
  private let options: Vault.Options
  /// The folder's marker, or nil for a folder without one.
  private let marker: VaultFolder.Marker?
  private let store: Data
  /// The vault's identity, which its folder records. It depends only on the vault's name and access
  /// group.
  private let vault: Data

  init(_ files: VaultFolder, _ items: VaultItems, _ options: Vault.Options) throws {
    try files.check()
    self.files = files
    self.items = items
    self.options = options
    marker = try files.marker()
    store = items.keychain.keybag.store.bytes
    var writer = ByteWriter()
    writer.counted(utf8: items.keychain.identity.defaultGroup)
    writer.counted(utf8: options.name)
    vault = Data(SHA256.hash(data: writer.data).prefix(Registry.idCount))
  }

  private var keychain: Keychain { items.keychain }

  /// Opens the vault, or creates it.
  ///
  /// - Returns: The kind of launch.
  func begin() throws -> Vault.Launch {
    let former = try formerRegistry()
    if let former, former.installation != marker?.installation { try check(former) }
    let isWiped = try wipeAccessGroup(former)
    let (launch, installation) = try keychain.transaction {
      try register(after: isWiped ? former : nil)
    }
    guard launch != .first else { return isWiped ? .firstAfterReinstallation : .first }
    if launch == .firstAfterReinstallation { try files.removeAllFiles() }
    let now = VaultFolder.Marker(installation, store: store, vault: vault)
    if now != marker { try files.mark(now) }
    return launch
  }

  /// Returns the kind of launch and the installation. If this installation has no registry yet, a new one is
  /// saved. Call this method in a transaction.
  ///
  /// - Parameter wiped: The registry of an earlier installation whose items were deleted.
  private func register(after wiped: Registry?) throws -> (Vault.Launch, Data) {
    let known: Registry?
    do {
      known = try items.registry()
    } catch AtRestError.Code.damaged where isOwnFolder {
      // The values exist, so the registry is rebuilt from them as far as possible.
      return (.further, marker?.installation ?? Data())
    }
    if let known, known.installation == marker?.installation {
      return (.further, known.installation)
    }
    try check(known)
    if let known, marker == nil, options.reinstallation == .refuse { try refuseLoss(of: known) }
    for entry in known?.entries ?? [] { try items.delete(entry.compartment) }
    var fresh = Registry()
    if let ended = known ?? wiped {
      fresh.cleanups = ended.cleanups + ended.entries.map(\.compartment)
    }
    try items.deleteClock()
    _ = fresh.add(nil)
    try items.save(fresh)
    guard known == nil else { return (.firstAfterReinstallation, fresh.installation) }
    // The folder is marked before the items are committed: after a crash, this installation must
    // not seem to be an earlier one, whose items are wiped.
    try files.removeAllFiles()
    try files.mark(VaultFolder.Marker(fresh.installation, store: store, vault: vault))
    return (.first, fresh.installation)
  }

  /// True if the folder's marker names this store and this vault.
  private var isOwnFolder: Bool { marker?.store == store && marker?.vault == vault }

  /// Returns the registry that the keychain has, or nil if it has none or a damaged one that the
  /// folder's marker lets the vault rebuild.
  private func formerRegistry() throws -> Registry? {
    do {
      return try items.registry()
    } catch let error as AtRestError where error.code == .damaged {
      guard !isOwnFolder else { return nil }
      throw AtRestError(
        .damaged, "\(error.message) Whether the application was installed again is unknown.",
        remedy: "Use the vault's former folder, or restore the store from a backup. To give up all "
          + "items of the application, call the keychain's deleteAllItems().",
        cause: error)
    }
  }

  /// Wipes the access group after a reinstallation, if the options say so.
  ///
  /// - Returns: True if the group was wiped.
  private func wipeAccessGroup(_ former: Registry?) throws -> Bool {
    guard options.onFirstLaunch == .wipeAccessGroup else { return false }
    guard marker == nil else {
      try files.beginInstallation(keychain, isKnown: true)
      return false
    }
    if options.reinstallation == .refuse,
      try former != nil || files.launch(keychain) == .firstAfterReinstallation
    {
      try refuseLoss(of: former)
    }
    // A registry of this vault proves an earlier installation, wherever its folder was.
    let isFormer = former != nil
    let launch = try files.beginInstallation(
      keychain, acceptingOtherFolder: isFormer, hasFormerItems: isFormer)
    return switch launch {
    case .firstAfterReinstallation: true
    case .first: isFormer
    case .further: false
    }
  }

  /// Throws, without modifying anything, if the folder or the store appears to be the wrong one.
  private func check(_ known: Registry?) throws {
    guard let marker else { return }
    let folder = files.url.path
    if let known {
      throw AtRestError(
        .notPermitted,
        "\(folder) belongs to another installation than the values of the vault "
          + "\"\(options.name)\" (\(known.entries.count) compartments).",
        remedy: "Use the former folder of the vault, or give this vault another name.")
    }
    guard marker.store == store else {
      throw AtRestError(
        .notPermitted, "\(folder) is the folder of a vault in another store.",
        remedy: "Use that store. If it is gone, these files cannot be read; delete the folder.")
    }
    guard marker.vault == vault else {
      throw AtRestError(
        .notPermitted,
        "\(folder) is the folder of another vault than \"\(options.name)\" of this application.",
        remedy: "Use one folder per vault, and open it with the name and the identity "
          + "with which it was created.")
    }
  }

  /// Throws if the vault has values. A vault without items has nothing to lose; a crash during the
  /// first launch leaves such a vault.
  private func refuseLoss(of known: Registry?) throws {
    var queries = (known?.entries ?? []).map { items.values(of: $0.compartment) }
    if options.onFirstLaunch == .wipeAccessGroup {
      queries += ItemClass.allCases.map {
        KeychainQuery($0, group: keychain.identity.defaultGroup, synchronizable: .any)
      }
    }
    let own = [items.registryKey, items.clockKey]
    for query in queries {
      do {
        let found = try keychain.items(matching: query)
        let isOwn = found.allSatisfy { own.contains($0.primaryKey) }
        if isOwn && found.withheld.isEmpty { continue }
      } catch let error as AtRestError where error.refusal != nil {
        // There are values, although they cannot be read now.
      }
      throw AtRestError(
        .notPermitted,
        "The vault \"\(options.name)\" has values, and \(files.url.path) is not its folder.",
        remedy: "Check the folder, or open the vault with reinstallation: .wipe.")
    }
  }
}
