import AtRestCrypto
import AtRestTPM
import Foundation

/// A counter of AtRest in a TPM, and its user.
package struct TPMCounterUse: Hashable, Sendable, Codable {
  /// The kinds of things that use a counter.
  package enum User: String, Hashable, Sendable, Codable {
    /// The device folder.
    case device
    /// The device's record of a store.
    case store
    /// Nothing in this device folder: another folder or another user, or nothing any more.
    case other
  }

  /// The index in hexadecimal, as tpm2-tools write it: `0x1a7beef`.
  package let index: String
  /// The user of the counter, as far as this device folder shows.
  package let user: User
  /// The store, for ``User/store``.
  package let store: String?
}

extension TPMDeviceKey {
  /// Returns the counters in the TPM that AtRest made, in ascending order of their indices. They are
  /// recognized by their indices and attributes.
  ///
  /// - Parameter folder: The device folder whose counters are marked.
  /// - Throws: ``AtRestError/Code/deviceUnavailable``, ``AtRestError/Code/notPermitted``,
  ///   ``AtRestError/Code/busy``; the errors of reading the folder.
  package static func counters(for folder: URL) throws -> [TPMCounterUse] {
    let used = try used(in: folder)
    return try TPM().perform { try $0.counters() }.map { counter in
      guard let store = used[counter] else {
        return TPMCounterUse(index: counter.description, user: .other, store: nil)
      }
      return TPMCounterUse(
        index: counter.description, user: store == nil ? .device : .store, store: store?.text)
    }
  }

  /// Frees a counter that nothing needs any more. The data that it protected never opens again.
  ///
  /// - Parameters:
  ///   - index: The index, as ``TPMCounterUse/index`` has it.
  ///   - folder: A device folder, whose own counters are refused.
  /// - Throws: ``AtRestError/Code/notFound`` if there is no such counter of AtRest;
  ///   ``AtRestError/Code/notPermitted`` if the device folder uses it, or the TPM's owner has a password
  ///   that is not given.
  package static func freeCounter(_ index: String, for folder: URL) throws {
    let used = try used(in: folder)
    try TPM().perform { connection in
      guard let counter = try connection.counters().first(where: { $0.description == index })
      else {
        throw AtRestError(
          .notFound, "The TPM has no counter \(index) of AtRest.",
          remedy: "List them: atrest device counters.")
      }
      guard used[counter] == nil else {
        throw AtRestError(
          .notPermitted, "The device folder \(folder.path) uses the counter \(index).",
          remedy: "If no store needs the device key any more, remove it: atrest device remove.")
      }
      try connection.undefine(counter)
    }
  }

  private static func used(in folder: URL) throws -> [TPMCounter: StoreIdentity?] {
    try [folderName, newName, formerName].reduce(into: [:]) { all, name in
      all.merge(try counters(name, in: folder)) { $1 }
    }
  }
}
