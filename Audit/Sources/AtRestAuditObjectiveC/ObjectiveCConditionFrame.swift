/// An `#if` whose `#endif` has not been read yet.
struct ObjectiveCConditionFrame {
  /// The condition of the current branch.
  var condition: String?
  /// The conditions of the earlier branches.
  var conditionsBefore: [String] = []
  /// True if an earlier branch is always compiled, so that no later branch is.
  var isDecided = false
  var start: Int
  var branches: [ObjectiveCConditionGroup.Branch] = []
  var isBalanced = true
  /// The number of open braces at `#if`.
  let braceDepth: Int

  /// Returns true if this is the first branch and it has no tokens yet.
  func isUntouched(_ tokens: Int) -> Bool {
    start == tokens && branches.isEmpty && conditionsBefore.count <= 1
  }
}
