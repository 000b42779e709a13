import AtRestAuditModel

/// A place where the code uses a value as a secret, or in a way that no secret is used.
struct SecretUse: Sendable {
  /// The words of the name of the value.
  let words: [String]
  /// The type that declares the value, if it is a property of a known type.
  let owner: String?
  let file: String
  let step: Finding.Step
  /// True if the use says nothing about values of other types that have the same name.
  var isOfOwner = false

  /// Returns true if the use is of the named value. A name with other meanings must be of the same
  /// type or in the same file.
  func concerns(_ other: [String], _ owner: String?, _ file: String, isWeak: Bool) -> Bool {
    if isOfOwner { return words == other && owner == self.owner }
    guard isWeak else {
      return words == other || words.count < other.count && other.suffix(words.count) == words[...]
        || other.count < words.count && words.suffix(other.count) == other[...]
    }
    guard words == other else { return false }
    if let owner, let own = self.owner { return owner == own }
    return self.file == file
  }
}
