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
