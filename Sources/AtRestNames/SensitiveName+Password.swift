extension SensitiveName {
  /// Returns the meaning of a name that announces a password, passcode, PIN or one-time code, such
  /// as `userPassword`, `login-pw` or `Passwort`, and nil for any other name.
  ///
  /// Names that only mention one, such as `passwordHint` and `pinned`, announce none. Thread-safe.
  ///
  /// - Parameter name: The name of a value, or a path whose last step is one. Of a name longer than
  ///   80 bytes, only the last 80 are judged.
  public static func ofPassword(_ name: String) -> SensitiveName? {
    var name = name
    guard name.withUTF8(mayBeSensitive) else { return nil }
    if name.utf8.count > longest {
      // A character that the cut divides is left out.
      name = String(decoding: name.utf8.suffix(longest).drop { $0 & 0xC0 == 0x80 }, as: UTF8.self)
    }
    guard let found = SensitiveName(key: name), found.kind == .password, found.strength != .vague
    else { return nil }
    return found
  }
}
