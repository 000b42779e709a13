import Foundation

/// An element of a suite's group as bytes: a public key or a blinded element. Its size is the suite's.
///
/// A client pins the public key of its account, and with it the suite.
public struct GroupElement: Hashable, Sendable {
  /// The suite.
  public let suite: EvaluationSuite
  /// The encoded element.
  public let bytes: Data

  package init(_ suite: EvaluationSuite, _ bytes: Data) {
    self.suite = suite
    self.bytes = bytes
  }

  package init(reading reader: inout MessageReader) throws {
    suite = try reader.suite()
    bytes = try reader.fixed(suite.elementCount)
  }

  package func write(to writer: inout MessageWriter) {
    writer.integer(suite.rawValue)
    writer.fixed(bytes)
  }
}
