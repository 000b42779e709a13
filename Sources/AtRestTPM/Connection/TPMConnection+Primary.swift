import AtRestCrypto
import CAtRestTPM
import Foundation

extension TPMConnection {
  /// Returns the name of the TPM's storage primary key, to pin with ``TPM/init(transport:primary:patience:)``.
  ///
  /// - Throws: ``AtRestError/Code/otherDevice`` if another name is pinned already;
  ///   ``AtRestError/Code/notPermitted`` if the owner hierarchy has a password that is not given.
  package func primaryName() throws -> TPMName { try loadedPrimary().name }

  /// Returns the primary key, which stays loaded until the connection is closed.
  ///
  /// The persistent key is used only if it is the pinned one. It saves the creation, which gives the
  /// same key every time.
  func loadedPrimary() throws -> TPMPrimary {
    if let primary { return primary }
    let loaded = try persistentPrimary() ?? createPrimary()
    primary = loaded
    if let pinned = tpm.primary, loaded.name != pinned { throw AtRestError.otherPrimary }
    return loaded
  }

  private func persistentPrimary() throws -> TPMPrimary? {
    guard let pinned = tpm.primary else { return nil }
    let none = TPMConstants.libraryNone
    var handle: atrest_tss_handle = none
    do {
      try run("TR_FromTPMPublic") {
        functions.load_handle(
          context, TPMConstants.persistentPrimary, none, none, none, &handle)
      }
    } catch let refusal as TPMRefusal where refusal.isAnswer && !refusal.isTemporary {
      return nil
    }
    var area: UnsafeMutableRawPointer?
    var name: UnsafeMutableRawPointer?
    var qualifiedName: UnsafeMutableRawPointer?
    defer {
      tss.free(name)
      tss.free(qualifiedName)
    }
    try run("ReadPublic") {
      functions.read_public_area(
        context, handle, none, none, none, &area, &name, &qualifiedName)
    }
    let wire = try tss.wire(of: area, \.write_public)
    guard TPMName(of: wire.dropFirst(2)) == pinned, try isAreaOfLibrary(wire, handle) else {
      _ = functions.close_handle(context, &handle)
      return nil
    }
    return TPMPrimary(handle: handle, name: pinned, isTransient: false)
  }

  /// True if the library holds the same public area for a handle. The area was read twice, and the
  /// library encrypts the salt of sessions with the one that it read first.
  private func isAreaOfLibrary(_ area: [UInt8], _ handle: UInt32) throws -> Bool {
    var bytes: UnsafeMutablePointer<UInt8>?
    var count = 0
    try run("TR_Serialize") { functions.serialize(context, handle, &bytes, &count) }
    defer { tss.free(bytes) }
    // The serialized form ends with the TPM2B_PUBLIC.
    return UnsafeBufferPointer(start: bytes, count: count).suffix(area.count).elementsEqual(area)
  }

  private func createPrimary() throws -> TPMPrimary {
    // There is no key yet with which this session could be salted. It authorizes with the value of the
    // owner hierarchy, which is usually empty, and sends nothing secret.
    let session = try startSession(TPMConstants.hmacSession, saltedWith: TPMConstants.libraryNone)
    defer { flush(session) }
    try setAttributes([.continues], of: session)
    let none = TPMConstants.libraryNone
    var handle: atrest_tss_handle = none
    var outputs = [UnsafeMutableRawPointer?](repeating: nil, count: 4)
    defer { outputs.forEach(tss.free) }
    try tss.withStructures([
      .init(\.read_sensitive_create, [0, 4, 0, 0, 0, 0]),
      .init(\.read_public, TPMPublic.primaryTemplate),
      .init(\.read_data, [0, 0]),
      .init(\.read_pcr_selection, [0, 0, 0, 0]),
    ]) { inputs in
      try outputs.withUnsafeMutableBufferPointer { outputs in
        let first = outputs.baseAddress!
        try asOwner {
          try run("CreatePrimary") {
            functions.create_primary(
              context, TPMConstants.libraryOwner, session, none, none, inputs[0], inputs[1],
              inputs[2], inputs[3], &handle, first, first + 1, first + 2, first + 3)
          }
        }
      }
    }
    let area: [UInt8]
    do {
      let output = outputs[0]
      outputs[0] = nil
      area = try tss.wire(of: output, \.write_public)
      guard TPMPublic.isMade(area, from: TPMPublic.primaryTemplate) else {
        throw AtRestError.otherPrimary
      }
    } catch {
      flush(handle)
      throw error
    }
    return TPMPrimary(handle: handle, name: TPMName(of: area.dropFirst(2)), isTransient: true)
  }
}
