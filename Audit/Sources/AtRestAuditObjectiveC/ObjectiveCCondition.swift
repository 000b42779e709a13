/// The code between `#if` and `#endif`, with its branches.
struct ObjectiveCConditionGroup {
  struct Branch {
    /// The condition as written, or nil if the branch is always compiled.
    let condition: String?
    let tokens: Range<Int>
  }

  let branches: [Branch]
  /// True if no bracket crosses the edge of a branch.
  let isBalanced: Bool
  let end: Int
  /// True if the parser has already decided how to read the group.
  var isHandled = false
}

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

/// A `#define`.
struct ObjectiveCMacro {
  let name: Int32
  /// The parameters of a macro that is called like a function, or nil.
  let parameters: [ObjectiveCToken]?
  let tokens: [ObjectiveCToken]
  let nameOffset: Int32
  let range: Range<Int32>
  let condition: String?
}
