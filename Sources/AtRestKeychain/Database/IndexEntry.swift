/// The index's record of an item: the place of its row, and the data on which every decision about
/// it rests.
struct IndexEntry: Equatable {
  /// The first eight bytes of the keyed hash of the primary key in its access group.
  var key: UInt64
  /// The row's number, which stays the same as long as the item exists.
  var id: Int64
  /// The transaction that wrote the row.
  var generation: UInt64
  /// The keyed hash of the access group.
  var scope: Int64
  /// Class, protection class, flags and salt: see ``ItemInfo``.
  var info: ItemInfo

  static let width = 5

  init(key: UInt64, id: Int64, generation: UInt64, scope: Int64, info: ItemInfo) {
    self.key = key
    self.id = id
    self.generation = generation
    self.scope = scope
    self.info = info
  }

  /// Reads an entry from its first five words.
  init(_ words: UnsafeBufferPointer<UInt64>) {
    self.init(
      key: words[0], id: Int64(bitPattern: words[1]), generation: words[2],
      scope: Int64(bitPattern: words[3]), info: ItemInfo(rawValue: Int64(bitPattern: words[4])))
  }

  var words: [UInt64] {
    [
      key, UInt64(bitPattern: id), generation, UInt64(bitPattern: scope),
      UInt64(bitPattern: info.rawValue),
    ]
  }
}

/// Class, protection class and flags of an item in one number, with random bits above them.
///
/// The random bits (the salt) distinguish two rows that two histories of one store wrote under the
/// same number and generation.
struct ItemInfo: Equatable {
  struct Flags: OptionSet {
    let rawValue: UInt8
    static let accessControl = Flags(rawValue: 1)
    static let secret = Flags(rawValue: 2)
    static let synchronizable = Flags(rawValue: 8)
  }

  let rawValue: Int64

  init(rawValue: Int64) { self.rawValue = rawValue }

  /// Creates the number with a new salt.
  init(_ itemClass: ItemClass, _ accessibility: Accessibility, _ flags: Flags) {
    rawValue =
      Int64(itemClass.number) | Int64(accessibility.keyClass.rawValue) << 8
      | Int64(flags.rawValue) << 16 | .random(in: 0..<1 << 39) << 24
  }

  var classNumber: UInt8 { UInt8(truncatingIfNeeded: rawValue) }
  var keyClassNumber: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 8) }
  var flags: Flags { Flags(rawValue: UInt8(truncatingIfNeeded: rawValue >> 16)) }

  /// Returns the class and the accessibility.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if the numbers are unknown.
  func parts() throws -> (ItemClass, Accessibility) {
    (try ItemClass(number: classNumber), try Accessibility(keyClass: keyClassNumber))
  }
}
