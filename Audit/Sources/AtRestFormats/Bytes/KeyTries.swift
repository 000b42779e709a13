/// The values of a container that were tried as keys on one of its encrypted databases, and did not open it.
public struct KeyTries: Hashable, Sendable {
  /// The number of values of the size of a key. All of them were tried.
  public let keys: Int
  /// The number of passphrases that were tried in the time for them, the most likely ones first.
  public var passphrases = 0
  /// The number of values that may be passphrases.
  public let allPassphrases: Int

  /// Creates the numbers.
  public init(keys: Int, passphrases: Int = 0, allPassphrases: Int) {
    self.keys = keys
    self.passphrases = passphrases
    self.allPassphrases = allPassphrases
  }
}
