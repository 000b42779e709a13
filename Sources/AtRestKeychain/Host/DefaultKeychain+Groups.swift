import AtRestCrypto
import AtRestKeybag
import Foundation

extension DefaultKeychain {
  /// Returns the folder that the applications of an application group share, and creates it.
  ///
  /// - Throws: ``AtRestError/Code/missingEntitlement`` if the application does not have the group;
  ///   ``AtRestError/Code/invalidArgument`` if the name of the group cannot be the name of a folder; the
  ///   errors of the system.
  package static func container(ofGroup group: String) throws -> URL {
    let (identity, folder) = source?.groups?() ?? (sharedIdentity, groupFolder)
    guard identity.applicationGroups.containsBytes(of: group) else {
      throw AtRestError(
        .missingEntitlement,
        "The application group \(group) does not belong to \(identity.identifier).",
        remedy: "Name it in ATREST_APPLICATION_GROUPS, or in the identity that the test runs as.")
    }
    guard !group.isEmpty, group != ".", group != "..", group.utf8.count <= 255,
      group.utf8.allSatisfy({ $0 != 0 && $0 != UInt8(ascii: "/") })
    else {
      throw AtRestError.invalid(
        "The application group \(group) cannot be the name of a folder.",
        remedy: "Use a name like group.com.example.app.")
    }
    let container = folder.appendingPathComponent(group, isDirectory: true)
    // Only the user may enter it. Apple's containers have the second folder from the beginning.
    for folder in [folder, container, container.appendingPathComponent("Library/Caches")] {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    return container
  }

  /// The folder of the containers if no simulated device is used: beside the store, or temporary in tests, which
  /// never reach a real one.
  private static var groupFolder: URL {
    if devices != nil || TestingLibrary.loaded != nil { return temporary.url }
    return StoreLocation().store.appendingPathExtension("groups")
  }

  private static let temporary: TemporaryFolder = {
    atexit { DefaultKeychain.temporary.remove() }
    return TemporaryFolder()
  }()

  /// The identity of the application if no simulated device is used. No store is opened for it.
  private static var sharedIdentity: ApplicationIdentity {
    if case .keychain(let keychain) = choice { keychain.identity } else { identity }
  }
}
