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
