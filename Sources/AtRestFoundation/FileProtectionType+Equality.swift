#if !canImport(Darwin)
  // Foundation's type is equatable on Apple's platforms alone, where
  // `attributes[.protectionKey] as? FileProtectionType == .complete` is a usual line.
  extension FileProtectionType? {
    /// Whether two classes are the same, or both nil.
    public static func == (one: Self, other: Self) -> Bool {
      one?.rawValue == other?.rawValue
    }

    /// Whether two classes differ.
    public static func != (one: Self, other: Self) -> Bool {
      one?.rawValue != other?.rawValue
    }
  }
#endif
