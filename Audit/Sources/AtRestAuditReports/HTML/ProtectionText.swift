/// What the data protection classes mean to a reader.
enum ProtectionText {
  /// From the weakest on.
  private static let classes = [
    ("NSFileProtectionNone", "open whenever the device is on"),
    (
      "NSFileProtectionCompleteUntilFirstUserAuthentication",
      "open from the first unlock until the device is switched off"
    ),
    ("NSFileProtectionCompleteUnlessOpen", "closed by the lock, except what is open then"),
    ("NSFileProtectionCompleteWhenUserInactive", "closed when the user is away for a while"),
    ("NSFileProtectionComplete", "closed while the device is locked"),
  ]

  static func meaning(_ name: String?) -> String {
    guard let name else { return "no manifest or listing tells" }
    return classes.first { $0.0 == name }?.1 ?? ""
  }

  /// The weakest first; at the end those of other names, and what has none.
  static func order(_ name: String?) -> (Int, String) {
    guard let name else { return (classes.count + 1, "") }
    return (classes.firstIndex { $0.0 == name } ?? classes.count, name)
  }
}
