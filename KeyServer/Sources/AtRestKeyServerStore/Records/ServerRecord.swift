import AtRestCrypto
import AtRestKeyServerProtocol

/// How often a server has raised the counter that it also keeps in its ``DatabaseRecord``.
struct ServerRecord: Record {
  static let name = "A server's counter"

  var counter: UInt64

  init(counter: UInt64) { self.counter = counter }

  init(reading reader: inout MessageReader) throws { counter = try reader.integer() }

  func write(to writer: inout MessageWriter) { writer.integer(counter) }
}
