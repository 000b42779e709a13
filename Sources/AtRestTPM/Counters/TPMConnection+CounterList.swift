@_spi(Tools) import AtRestCrypto
import CAtRestTPM

extension TPMConnection {
  /// Returns the counters in the TPM that AtRest made, for this user or another, in ascending order.
  ///
  /// They are recognized by their indices and attributes. Any program may make such an index.
  package func counters() throws -> [TPMCounter] {
    var found: [TPMCounter] = []
    var next = TPMCounter.indices.lowerBound
    while true {
      let (handles, isComplete) = try indices(from: next)
      for index in handles where TPMCounter.indices.contains(index) {
        let counter = try TPMCounter(index: index)
        if try isCounter(counter) { found.append(counter) }
      }
      guard !isComplete, let last = handles.last, last < TPMCounter.indices.upperBound else {
        return found
      }
      next = last + 1
    }
  }

  private func indices(from first: UInt32) throws -> (handles: [UInt32], isComplete: Bool) {
    let none = TPMConstants.libraryNone
    var more: UInt8 = 0
    var data: UnsafeMutableRawPointer?
    try run("GetCapability") {
      functions.capability(
        context, none, none, none, TPMConstants.capabilityHandles, first, 64, &more, &data)
    }
    let wire = try tss.wire(of: data, \.write_capability)
    let handles = try wire.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, name: "The TPM's list of indices")
      _ = try reader.integer(UInt32.self)
      return try (0..<min(try reader.integer(UInt32.self), 1024)).map { _ in
        try reader.integer(UInt32.self)
      }
    }
    return (handles, more == 0)
  }

  private func isCounter(_ counter: TPMCounter) throws -> Bool {
    guard var handle = try indexHandle(of: counter) else { return false }
    defer { _ = functions.close_handle(context, &handle) }
    let none = TPMConstants.libraryNone
    var area: UnsafeMutableRawPointer?
    var name: UnsafeMutableRawPointer?
    defer { tss.free(name) }
    try run("NV_ReadPublic") {
      functions.nv_read_public(context, handle, none, none, none, &area, &name)
    }
    return counter.isArea(Array(try tss.wire(of: area, \.write_nv_public).dropFirst(2)))
  }
}
