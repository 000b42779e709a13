/// A closure of Swift or a block of Objective-C.
package struct Closure: Sendable {
  /// The names of its parameters.
  package let parameters: [String]
  package let body: Block

  package init(parameters: [String], body: Block) {
    self.parameters = parameters
    self.body = body
  }
}
