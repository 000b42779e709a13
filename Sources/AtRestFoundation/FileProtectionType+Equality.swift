#if !canImport(Darwin)
  // Foundation's type is equatable only on Apple's platforms. On those platforms,
  // `attributes[.protectionKey] as? FileProtectionType == .complete` is a common expression.
  extension FileProtectionType? {
    /// Returns true if two classes are equal, or if both are nil.
    public static func == (one: Self, other: Self) -> Bool {
      one?.rawValue == other?.rawValue
    }

    /// Returns true if two classes differ.
    public static func != (one: Self, other: Self) -> Bool {
      one?.rawValue != other?.rawValue
    }
  }
#endif
