import AtRestCrypto

/// Class keys in memory, by key set and class.
struct ClassKeys: Sendable {
  /// The number of the current set, whose keys seal new data.
  var present: UInt32
  private(set) var sets: [UInt32: [KeyClass: SecretBox]] = [:]

  init(present: UInt32) { self.present = present }

  /// The key of a class in the current set.
  subscript(keyClass: KeyClass) -> SecretBox? {
    get { sets[present]?[keyClass] }
    set { sets[present, default: [:]][keyClass] = newValue }
  }

  subscript(set: UInt32, keyClass: KeyClass) -> SecretBox? {
    get { sets[set]?[keyClass] }
    set { sets[set, default: [:]][keyClass] = newValue }
  }

  mutating func keep(where condition: (UInt32, KeyClass) -> Bool) {
    for (number, keys) in sets {
      sets[number] = keys.filter { condition(number, $0.key) }
    }
  }

  mutating func merge(_ others: ClassKeys) {
    for (number, keys) in others.sets {
      sets[number, default: [:]].merge(keys) { _, new in new }
    }
  }

  mutating func removeAll() { sets = [:] }

  /// Returns the keys of a class, newest first.
  func all(of keyClass: KeyClass) -> [(set: UInt32, key: SecretBox)] {
    sets.keys.sorted(by: >).compactMap { number in
      sets[number]?[keyClass].map { (number, $0) }
    }
  }

  /// Returns new keys for all classes of a store with or without a passcode.
  static func random(forPasscode: Bool) -> [KeyClass: SecretBox] {
    var keys: [KeyClass: SecretBox] = [:]
    for keyClass in KeyClass.allCases
    where forPasscode || keyClass != .whenPasscodeSetThisDeviceOnly {
      keys[keyClass] = SecretBox(.random(count: 32))
    }
    return keys
  }

  mutating func add(_ keys: [KeyClass: SecretBox], as number: UInt32) { sets[number] = keys }
}
