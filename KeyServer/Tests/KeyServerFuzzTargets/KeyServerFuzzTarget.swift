/// The fuzz targets. The first byte of an input chooses the kind of message or record.
package enum KeyServerFuzzTarget: String, CaseIterable, Sendable {
  /// The decoders of requests and answers. What they accept is encoded to the same bytes.
  case messages
  /// Requests at a store with one account, its device and a stranger's one.
  case server
  /// Evaluations, refusals and keys as a hostile server could send them to a client.
  case answers
  /// The contents of rows, whose seal someone with the server key could make.
  case rows
}
