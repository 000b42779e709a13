/// The meaning of the data protection classes for a reader.
enum ProtectionText {
  /// The classes from weakest to strongest, with their meaning.
  private static let classes = [
    ("NSFileProtectionNone", "readable whenever the device is on"),
    (
      "NSFileProtectionCompleteUntilFirstUserAuthentication",
      "readable from the first unlock until the device is switched off"
    ),
    (
      "NSFileProtectionCompleteUnlessOpen",
      "unreadable while the device is locked, unless the file is open then"
    ),
    ("NSFileProtectionCompleteWhenUserInactive", "unreadable while the user is inactive"),
    ("NSFileProtectionComplete", "unreadable while the device is locked"),
  ]

  static func meaning(_ name: String?) -> String {
    guard let name else { return "not named in a manifest or listing" }
    return classes.first { $0.0 == name }?.1 ?? ""
  }

  /// The order from weakest to strongest, with unknown classes after them and files without a class
  /// last.
  static func order(_ name: String?) -> (Int, String) {
    guard let name else { return (classes.count + 1, "") }
    return (classes.firstIndex { $0.0 == name } ?? classes.count, name)
  }
}
