/// The place in which an app stores a value, named as both the code and the stored data name it.
public enum StorageSlot: Hashable, Sendable {
  /// A key of preferences. The suite is nil for the app's standard preferences.
  case preference(suite: String?, key: String)
  /// A file, by the last part of its path.
  case file(name: String)
  /// A column of a table. The column is nil if the code writes all columns.
  case column(table: String, column: String?)
  /// An attribute of an entity of Core Data or SwiftData.
  case attribute(entity: String, name: String)
  /// An item of a keychain. An attribute is nil if the code does not name it as a constant.
  case keychainItem(service: String?, account: String?)
  /// A cookie. The domain is nil if the code does not name it as a constant.
  case cookie(domain: String?, name: String)
  /// The responses of a server, which the system keeps in a cache.
  case response(host: String)
}

extension StorageSlot {
  /// The identifier of the kind of place, for formats that programs read.
  package var kind: String {
    switch self {
    case .preference: "preference"
    case .file: "file"
    case .column: "column"
    case .attribute: "attribute"
    case .keychainItem: "keychainItem"
    case .cookie: "cookie"
    case .response: "response"
    }
  }

  /// The names of the place, from the outside in, without those that the code does not name.
  package var names: [String] {
    switch self {
    case .preference(let suite, let key): [suite, key].compactMap(\.self)
    case .file(let name): [name]
    case .column(let table, let column): [table, column].compactMap(\.self)
    case .attribute(let entity, let name): [entity, name]
    case .keychainItem(let service, let account): [service, account].compactMap(\.self)
    case .cookie(let domain, let name): [domain, name].compactMap(\.self)
    case .response(let host): [host]
    }
  }
}
