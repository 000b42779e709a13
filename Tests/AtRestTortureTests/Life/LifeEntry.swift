/// One thing that a store was told to keep, and what it says about it.
struct LifeEntry: Equatable {
  /// When it can be read.
  enum Readable { case whileUnlocked, fromFirstUnlock, always }

  /// What a reading of it gives, as `atrest-life-worker` writes it.
  var value: String
  var readable = Readable.whileUnlocked
  /// True if it never leaves its device.
  var isBound = false
  /// True if it ends with the passcode, and is in no backup.
  var needsPasscode = false

  /// The value of an entry that only the program knows that made it, such as a key pair.
  static let unknown = "?"

  init(_ value: String) { self.value = value }

  /// The entry of an item or key pair with an accessibility, by its name on the command line.
  init(_ value: String, accessible: String) {
    self.value = value
    isBound = accessible.hasSuffix("this-device-only")
    needsPasscode = accessible.hasPrefix("when-passcode-set")
    if accessible.hasPrefix("always") { readable = .always }
    if accessible.hasPrefix("after-first-unlock") { readable = .fromFirstUnlock }
  }
}

extension LifeEntry {
  /// The file that has an entry with a name: a database, the keychain for items and what is made of
  /// items, or nil for a file of its own.
  static func database(of name: String) -> String? {
    let parts = name.split(separator: "/")
    return switch parts[0] {
    case "row": String(parts[1])
    case "item", "key", "value", "preference": "keychain"
    default: nil
    }
  }
}

/// Entries by name, such as `item/life1/n3`, `file/f2` or `row/a/7`.
typealias LifeEntries = [String: LifeEntry]
