@_spi(Tools) import AtRestCrypto
import Foundation

/// The class keys for files in one set of a store, as a backup carries them.
package struct FileKeySet: Sendable {
  struct Key: Sendable {
    /// The identifier of the class key in its keybag.
    var id: UInt64
    var key: SecretBox
  }

  /// The store whose files the keys open.
  package let store: StoreIdentity
  /// The number of the set in that store.
  let number: UInt32
  let keys: [KeyClass: Key]

  static let classes = KeyClass.allCases.filter(\.isForFiles)
}

/// The form of a set in a backup: `docs/Formats.md`, *Backup*.
extension FileKeySet {
  /// A set whose keys are still wrapped.
  struct Wrapped {
    let store: StoreIdentity
    let number: UInt32
    let entries: [(keyClass: KeyClass, id: UInt64, wrapped: Data)]

    init(from reader: inout ByteReader, name: String) throws {
      store = StoreIdentity(Data(try reader.fixed(StoreIdentity.count)))
      number = try reader.integer()
      var entries: [(keyClass: KeyClass, id: UInt64, wrapped: Data)] = []
      for _ in 0..<(try reader.integer(UInt8.self)) {
        let code = try reader.integer(UInt8.self)
        guard let keyClass = KeyClass(rawValue: code), keyClass.isForFiles else {
          throw AtRestError.damaged("\(name) has an unknown class \(code) of files.")
        }
        entries.append((keyClass, try reader.integer(), Data(try reader.fixed(40))))
      }
      // A keybag would open no file of the store, if it had a set without the key that class B needs.
      guard entries.map(\.keyClass) == FileKeySet.classes else {
        throw AtRestError.damaged("\(name) has a set of class keys of files that is not complete.")
      }
      self.entries = entries
    }

    func unwrapped(under root: borrowing SecretBytes, name: String) throws -> FileKeySet {
      var keys: [KeyClass: Key] = [:]
      for entry in entries {
        let key = try FileKeySet.wrappingKey(root, store, number, entry.keyClass)
          .unwrap(entry.wrapped, name: "Class key \(entry.keyClass.name) of files in \(name)")
        keys[entry.keyClass] = Key(id: entry.id, key: SecretBox(key))
      }
      return FileKeySet(store: store, number: number, keys: keys)
    }
  }

  func encode(into writer: inout ByteWriter, wrappedUnder root: borrowing SecretBytes) throws {
    writer.fixed(store.bytes)
    writer.integer(number)
    writer.integer(UInt8(keys.count))
    for (keyClass, key) in keys.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      writer.integer(keyClass.rawValue)
      writer.integer(key.id)
      writer.fixed(try Self.wrappingKey(root, store, number, keyClass).wrap(key.key.bytes))
    }
  }

  private static func wrappingKey(
    _ root: borrowing SecretBytes, _ store: StoreIdentity, _ number: UInt32, _ keyClass: KeyClass
  ) throws -> WrappingKey {
    var context = ByteWriter(capacity: 21)
    context.fixed(store.bytes)
    context.integer(number)
    context.integer(keyClass.rawValue)
    return try WrappingKey(root.derive(.backupFileWrap, context: context.data))
  }
}

extension Purpose {
  static let backupFileWrap = Purpose("atrest.backup-file-wrap.v1")
}
