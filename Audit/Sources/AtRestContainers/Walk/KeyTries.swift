/// The values of a container that were tried on one of its encrypted databases.
package struct KeyTries: Hashable, Sendable {
  /// The number of values of 32 bytes. All of them are tried.
  package internal(set) var keys = 0
  /// The number of passphrases that were tried.
  package internal(set) var passphrases = 0
  /// The number of values that may be passphrases.
  package internal(set) var allPassphrases = 0
}
