/// Code between `#if` and `#endif`, in its branches.
struct ObjectiveCConditionGroup {
  struct Branch {
    /// As written, or nothing if it is always compiled.
    let condition: String?
    let tokens: Range<Int>
  }

  let branches: [Branch]
  /// Whether no bracket reaches over the edge of a branch.
  let isBalanced: Bool
  let end: Int
  /// Whether the parser is past the choice of how to read it.
  var isHandled = false
}

/// An `#if` whose `#endif` is yet to come.
struct ObjectiveCConditionFrame {
  /// Of the present branch.
  var condition: String?
  /// Of the branches before.
  var conditionsBefore: [String] = []
  /// Whether a branch before is always compiled, so that none behind it is.
  var isDecided = false
  var start: Int
  var branches: [ObjectiveCConditionGroup.Branch] = []
  var isBalanced = true
  /// The braces open at `#if`.
  let braceDepth: Int

  /// Whether it is the first branch and holds no token.
  func isUntouched(_ tokens: Int) -> Bool {
    start == tokens && branches.isEmpty && conditionsBefore.count <= 1
  }
}

/// A `#define`.
struct ObjectiveCMacro {
  let name: Int32
  /// Of a macro that is called like a function.
  let parameters: [ObjectiveCToken]?
  let tokens: [ObjectiveCToken]
  let nameOffset: Int32
  let range: Range<Int32>
  let condition: String?
}
