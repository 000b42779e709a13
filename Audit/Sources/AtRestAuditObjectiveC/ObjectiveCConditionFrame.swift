/// An `#if` whose `#endif` has not been read yet.
struct ObjectiveCConditionFrame {
  /// The condition of the current branch.
  var condition: String?
  /// The conditions of the earlier branches.
  var conditionsBefore: [String] = []
  /// True if an earlier branch is always compiled, and later branches therefore never are.
  var isDecided = false
  var start: Int
  var branches: [ObjectiveCConditionGroup.Branch] = []
  var isBalanced = true
  /// The number of open braces at `#if`.
  let braceDepth: Int

  /// Returns true if the current branch is the first one and has no tokens yet.
  func isUntouched(_ tokens: Int) -> Bool {
    start == tokens && branches.isEmpty && conditionsBefore.count <= 1
  }
}
