import AtRestCrypto
import Foundation

/// The class keys that open files: those of this store, and those of stores whose backups were
/// restored into it.
extension Keybag {
  /// A class key, and the key of class D in the same set, which class B needs.
  struct FileKey {
    let key: SecretBox
    let writer: SecretBox
  }

  /// Returns true if files of a store can be opened with this keybag while it is unlocked.
  ///
  /// If the store is unknown, the keybag is read again, because another process may have restored a
  /// backup.
  ///
  /// - Throws: The errors of ``refresh()``.
  package func opensFiles(of origin: StoreIdentity) throws -> Bool {
    let isKnown = {
      origin == self.store
        || self.state.withLock { $0.file.formerSets.contains { $0.store == origin } }
    }
    if isKnown() { return true }
    // The caller may hold the lock of a file's handle, which the observers need.
    try refresh(tellingLater: true)
    return isKnown()
  }

  /// Returns the keys of a class that open the files of a store, the current key first.
  ///
  /// - Throws: ``AtRestError/Code/notPermitted`` if the keybag has no keys of that store; the error
  ///   of ``refusal(of:)`` if the class is locked.
  func fileKeys(
    of keyClass: KeyClass, from origin: StoreIdentity, name: String
  ) throws -> [FileKey] {
    guard try opensFiles(of: origin) else {
      throw AtRestError(
        .notPermitted, "\(name) belongs to the store \(origin), which is another one.",
        remedy: "Use that store (--store, ATREST_STORE), or restore its backup into this one.")
    }
    var found: [FileKey] = []
    if origin == store {
      let writers = try keys(for: .noProtection)
      found = try keys(for: keyClass).compactMap { set, key in
        writers.first { $0.set == set }.map { FileKey(key: key, writer: $0.key) }
      }
    }
    let (sets, keys) = state.withLock { state in
      (state.file.formerSets.filter { $0.store == origin }.reversed(), state.keys)
    }
    for set in sets {
      guard let key = keys[set.wrappingSet, keyClass],
        let writer = keys[set.wrappingSet, .noProtection]
      else { throw refusal(of: keyClass) }
      let writerKey = try set.key(.noProtection, wrappedUnder: writer)
      found.append(
        FileKey(
          key: keyClass == .noProtection ? writerKey : try set.key(keyClass, wrappedUnder: key),
          writer: writerKey))
    }
    return found
  }

  // MARK: Backup and restore

  /// Returns the class keys for files of this store, and of stores whose backups were restored into
  /// it. The store must be unlocked.
  ///
  /// The keybag is read again first, because another process may have restored a backup.
  ///
  /// - Throws: The error of ``refusal(of:)`` if a class is locked; the errors of ``refresh()``.
  package func fileKeySets() throws -> [FileKeySet] {
    try refresh()
    for keyClass in FileKeySet.classes { _ = try key(for: keyClass) }
    let (file, keys) = state.withLock { ($0.file, $0.keys) }
    let own = try file.sets.map { set in
      var found: [KeyClass: FileKeySet.Key] = [:]
      for keyClass in FileKeySet.classes {
        // Another thread may have locked the store since the keys were checked.
        guard let key = keys[set.number, keyClass], let entry = set.entries[keyClass] else {
          throw refusal(of: keyClass)
        }
        found[keyClass] = FileKeySet.Key(id: entry.id, key: key)
      }
      return FileKeySet(store: store, number: set.number, keys: found)
    }
    let former = try file.formerSets.map { set in
      var found: [KeyClass: FileKeySet.Key] = [:]
      for (keyClass, entry) in set.entries {
        guard let wrapping = keys[set.wrappingSet, keyClass] else { throw refusal(of: keyClass) }
        found[keyClass] = FileKeySet.Key(
          id: entry.id, key: try set.key(keyClass, wrappedUnder: wrapping))
      }
      return FileKeySet(store: set.store, number: set.number, keys: found)
    }
    return former + own
  }

  /// Keeps the class keys of a backup, to open the files of its store with. Nothing is wrapped under
  /// them. Keys that this keybag has already are left out.
  ///
  /// The passcode is not needed, because each key is wrapped under the present key of its class.
  ///
  /// - Throws: The error of ``refusal(of:)`` if a class is locked; ``AtRestError/Code/wiped``;
  ///   ``AtRestError/Code/busy``; ``AtRestError/Code/system``.
  package func adopt(_ sets: [FileKeySet]) throws {
    for keyClass in FileKeySet.classes { _ = try key(for: keyClass) }
    try changing { state in
      let new = sets.filter { set in
        !state.file.formerSets.contains {
          $0.isSame(as: set, wrappedUnder: state.keys)
        }
          && !(set.store == store && state.file.has(set))
      }
      guard !new.isEmpty else { return }
      guard state.file.formerSets.count + new.count <= KeybagFile.formerSetLimit else {
        throw AtRestError(
          .invalidArgument,
          "The store in \(storage.location) would keep class keys of more than "
            + "\(KeybagFile.formerSetLimit) former stores.",
          remedy: "Create a new store, move the files to it (atrest rewrap), and restore the items."
        )
      }
      var file = state.file
      for set in new {
        file.formerSets.append(try FormerKeySet(set, wrappedUnder: state.keys, storage.location))
      }
      try amend(file, effaceable(state))
      state.file = file
      state.events.marks = sight.marks()
    }
  }
}
