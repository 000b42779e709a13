import AtRestCrypto
import AtRestKeybag

extension ByteDestination {
  /// Writes bytes unchanged. A file appears complete and durable.
  ///
  /// - Throws: The errors of ``ProtectedFiles/unprotect(_:to:requiring:progress:)`` that concern
  ///   the destination.
  package func write(_ bytes: UnsafeRawBufferPointer) throws {
    switch kind {
    case .descriptor(let number):
      try OpenFile(borrowing: number, path: "descriptor \(number)").writeNext(bytes)
    case .file, .entry, .walked:
      let file = try newFile()
      try file?.file.write(bytes, at: 0)
      try file?.commit()
    }
  }

  /// Runs a closure that writes to the destination. If the destination is a file, it is returned
  /// without a name; for a descriptor, nil is returned.
  func begin(
    _ body: (ProtectedFiles.Target) throws -> TransferCount
  ) throws -> (file: NewFile?, count: TransferCount) {
    switch kind {
    case .descriptor(let number):
      let stream = OpenFile(borrowing: number, path: "descriptor \(number)")
      return (nil, try body(ProtectedFiles.Target(kind: .stream(stream))))
    case .file, .entry, .walked:
      guard let file = try newFile() else {
        preconditionFailure("Only a descriptor has no new file.")
      }
      return (file, try body(ProtectedFiles.Target(kind: .regular(file.file))))
    }
  }

  private func newFile() throws -> NewFile? {
    switch kind {
    case .descriptor: nil
    case .file(let path, let existing, let permissions):
      try NewFile(at: path, existing: existing, permissions: permissions)
    case .entry(let entry, let existing): try NewFile(at: entry, existing: existing)
    case .walked(let entry, let existing, let permissions):
      try NewFile(at: entry.open(), existing: existing, permissions: permissions)
    }
  }
}
