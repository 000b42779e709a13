import AtRestCrypto
import CAtRestSystem
import CAtRestTPM

/// The functions of tpm2-tss, loaded when the first of them is needed.
///
/// Structures of the TPM exist only in buffers here. ``withStructures(_:_:)`` makes them from their
/// wire form, and ``wire(of:_:)`` returns the wire form of those that the library allocated.
struct TSS: @unchecked Sendable {
  // The table is never changed after it was loaded.
  let functions: atrest_tss

  /// No structure that AtRest passes is larger: the largest is `TPM2B_PRIVATE`, with 1.3 KiB in
  /// tpm2-tss 4.
  private static let structureSize = 2048
  /// No structure that AtRest receives is larger on the wire: the TPM's buffer has 4,096 bytes.
  private static let wireSize = 4096

  private static let loaded: Result<TSS, AtRestError> = {
    var functions = atrest_tss()
    var problem = [CChar](repeating: 0, count: 128)
    guard atrest_tss_load(&functions, &problem, problem.count) == 1 else {
      let missing = String(decoding: problem.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
      return .failure(
        AtRestError(
          .deviceUnavailable, "The library for TPMs is missing or too old: \(missing).",
          remedy: "Install tpm2-tss: libtss2-esys, libtss2-tctildr and a libtss2-tcti library."))
    }
    return .success(TSS(functions: functions))
  }()

  /// Returns the functions.
  ///
  /// - Throws: ``AtRestError/Code/deviceUnavailable`` if a library or a function is missing.
  static func load() throws -> TSS { try loaded.get() }

  /// The wire form of a structure, and the function that reads it.
  struct Structure {
    let read: KeyPath<atrest_tss, atrest_tss_read?>
    let wire: [UInt8]

    init(_ read: KeyPath<atrest_tss, atrest_tss_read?>, _ wire: [UInt8]) {
      self.read = read
      self.wire = wire
    }
  }

  /// Calls a closure with pointers to structures that are made of their wire forms, in locked memory
  /// that is erased afterwards.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if a wire form is not valid, and the closure's errors.
  func withStructures<Outcome>(
    _ structures: [Structure], _ body: ([UnsafeRawPointer]) throws -> Outcome
  ) throws -> Outcome {
    let size = Self.structureSize
    let memory = try SecretBytes(count: size * structures.count) { memory throws(AtRestError) in
      for (index, structure) in structures.enumerated() {
        var offset = 0
        let code = functions[keyPath: structure.read]!(
          structure.wire, structure.wire.count, &offset, memory.baseAddress! + index * size)
        guard code == 0, offset == structure.wire.count else {
          throw .damaged("An object of the TPM is malformed.")
        }
      }
    }
    return try memory.withUnsafeBytes { bytes in
      try body(structures.indices.map { bytes.baseAddress! + $0 * size })
    }
  }

  /// Returns the wire form of a structure that the library allocated, and frees it.
  func wire(
    of structure: UnsafeMutableRawPointer?, _ write: KeyPath<atrest_tss, atrest_tss_write?>
  ) throws -> [UInt8] {
    defer { free(structure) }
    guard let structure else { throw Self.malformed }
    return try [UInt8](unsafeUninitializedCapacity: Self.wireSize) { buffer, count in
      guard functions[keyPath: write]!(structure, buffer.baseAddress!, buffer.count, &count) == 0
      else { throw Self.malformed }
    }
  }

  /// Returns the bytes of a `TPM2B` structure that holds a secret, and erases and frees it.
  func secret(
    of structure: UnsafeMutableRawPointer?, _ write: KeyPath<atrest_tss, atrest_tss_write?>
  ) throws -> SecretBytes {
    defer { free(structure) }
    guard let structure else { throw Self.malformed }
    var count = 0
    let wire = try SecretBytes(count: Self.wireSize) { buffer throws(AtRestError) in
      let bytes = buffer.bindMemory(to: UInt8.self)
      guard functions[keyPath: write]!(structure, bytes.baseAddress!, bytes.count, &count) == 0,
        count >= 2
      else { throw Self.malformed }
    }
    return wire.withUnsafeBytes {
      SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0[2..<count]))
    }
  }

  /// Erases and frees memory that the library allocated.
  func free(_ structure: UnsafeMutableRawPointer?) {
    atrest_tss_erase(structure)
    functions.release(structure)
  }

  private static var malformed: AtRestError {
    AtRestError(
      .deviceUnavailable, "The TPM sent an answer that is not valid.", remedy: "Try again.")
  }
}
