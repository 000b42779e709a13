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
