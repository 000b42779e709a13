@_spi(Tools) import AtRestCrypto
import CAtRestTPM
import Foundation

/// An open connection to a TPM, on which ``TPM/perform(_:)`` runs operations.
///
/// Every authorization goes through an HMAC session that is salted with the primary key and encrypts
/// the first parameter of commands and responses, if a command allows that (TPM 2.0 Library, part 1,
/// sections 19 and 21). No session uses a password. The name of the primary key is computed from
/// the public area that the library encrypts the salt with, and compared with the pinned one, so
/// that an interposer cannot substitute a key of its own.
package final class TPMConnection {
  let tss: TSS
  let tpm: TPM
  private var transport: UnsafeMutableRawPointer?
  private var openContext: UnsafeMutableRawPointer?
  var primary: TPMPrimary?
  var session: UInt32?
  /// True if the library's buffers hold an authorization value or a secret.
  var holdsSecrets = false

  var functions: atrest_tss { tss.functions }
  var context: UnsafeMutableRawPointer? { openContext }

  init(to tpm: TPM) throws {
    try TPMTransport.check(tpm.transport)
    self.tpm = tpm
    tss = try TSS.load()
    var functions = tss.functions
    var code = atrest_tcti_open(
      &functions, tpm.transport, Int32(clamping: tpm.silence.milliseconds), &transport)
    guard code == 0, transport != nil else {
      let refusal = refused("open", code)
      close()
      throw refusal.isSilent
        ? refusal.error(on: tpm) : TPMTransport.unreachable(tpm.transport, cause: refusal)
    }
    code = tss.functions.open(&openContext, transport, nil)
    guard code == 0 else {
      let refusal = refused("initialize", code)
      close()
      throw refusal.error(on: tpm)
    }
  }

  /// The refusal of a command. The library reports a TPM that does not answer with several codes.
  private func refused(_ command: String, _ code: UInt32) -> TPMRefusal {
    TPMRefusal(
      command, atrest_tcti_is_silent(transport) == 1 ? TPMRefusal.silence : code, tss)
  }

  deinit { close() }

  /// Removes what this connection loaded into the TPM, and closes the connection.
  func close() {
    if openContext != nil {
      if let session {
        if holdsSecrets { overwriteSecrets(of: session) }
        flush(session)
      }
      if let primary, primary.isTransient { flush(primary.handle) }
      functions.close(&openContext)
    }
    if transport != nil {
      var functions = functions
      atrest_tcti_close(&functions, &transport)
    }
    (session, primary, openContext, transport) = (nil, nil, nil, nil)
  }

  /// Runs a command, and repeats it while the TPM is busy, at most for the TPM's `patience`.
  ///
  /// - Throws: ``TPMRefusal`` for any response other than success.
  func run(_ command: String, _ body: () -> atrest_tss_rc) throws {
    precondition(context != nil, "A connection was used after its call of perform.")
    let end = ContinuousClock.now + tpm.patience
    var pause = 0.01
    while true {
      let code = body()
      if code == 0 { return }
      let refusal = refused(command, code)
      guard refusal.isTemporary, ContinuousClock.now < end else { throw refusal }
      Thread.sleep(forTimeInterval: pause)
      pause = min(2 * pause, 0.5)
    }
  }

  /// Removes an object or a session from the TPM. Errors are ignored: it is gone if the connection
  /// is.
  func flush(_ handle: UInt32) { _ = functions.flush(context, handle) }

  /// Sets the authorization value of a handle for the commands of a closure, and then erases the
  /// library's copy.
  func authorizing<Outcome: ~Copyable>(
    _ handle: UInt32, with value: borrowing SecretBytes?,
    _ body: () throws -> Outcome
  ) throws -> Outcome {
    holdsSecrets = true
    try setAuthorization(of: handle, to: value)
    // A value of the same size overwrites the library's copy.
    defer { try? setAuthorization(of: handle, to: SecretBytes(count: 32) { _ in }) }
    return try body()
  }

  /// Overwrites the copies of secrets that the library keeps until the next command, and frees without
  /// erasing them: the authorization value in the session, the input of Create, and the buffer of
  /// commands and responses.
  ///
  /// This command has another authorization value and another input, as long as the longest. The TPM
  /// refuses it. The primary key is outside the dictionary-attack protection, so this does not count.
  func overwriteSecrets(of session: UInt32) {
    guard let primary else { return }
    let none = TPMConstants.libraryNone
    var content = ByteWriter(capacity: 256)
    content.sized([UInt8](repeating: 0xFF, count: 64))
    content.sized([UInt8](repeating: 0xFF, count: 128))
    var sensitive = ByteWriter(capacity: 256)
    sensitive.sized(content.bytes)
    var outputs = [UnsafeMutableRawPointer?](repeating: nil, count: 5)
    defer { outputs.forEach(tss.free) }
    try? setAttributes(.continues, of: session)
    try? setAuthorization(
      of: primary.handle, to: SecretBytes(Data(repeating: 0xFF, count: Self.authorizationCount)))
    _ = try? tss.withStructures([
      .init(\.read_sensitive_create, sensitive.bytes),
      .init(\.read_public, TPMPublic.sealedTemplate(isProtected: false, policy: [])),
      .init(\.read_data, [0, 0]), .init(\.read_pcr_selection, [0, 0, 0, 0]),
    ]) { inputs in
      outputs.withUnsafeMutableBufferPointer { outputs in
        let first = outputs.baseAddress!
        return functions.create(
          context, primary.handle, session, none, none, inputs[0], inputs[1], inputs[2], inputs[3],
          first, first + 1, first + 2, first + 3, first + 4)
      }
    }
    try? setAuthorization(of: primary.handle, to: nil)
  }

  func setAuthorization(of handle: UInt32, to value: borrowing SecretBytes?) throws {
    var wire = Self.authorization(value)
    defer { wire.erase() }
    try tss.withStructures([.init(\.read_auth, wire.bytes)]) { structures in
      try run("TR_SetAuth") { functions.set_auth(context, handle, structures[0]) }
    }
  }

  /// The wire form of an authorization value, which the caller erases.
  static func authorization(_ value: borrowing SecretBytes?) -> ByteWriter {
    var wire = ByteWriter(capacity: 256)
    switch value {
    case .some(let value): wire.sized(value)
    case .none: wire.sized([])
    }
    return wire
  }

  static let authorizationCount = 32

  static func checkAuthorization(_ value: borrowing SecretBytes?) throws {
    let count =
      switch value {
      case .some(let value): value.count
      case .none: authorizationCount
      }
    guard count == authorizationCount else {
      throw AtRestError.invalid(
        "An authorization value of a TPM object has \(authorizationCount) bytes, not \(count).",
        remedy: "Derive \(authorizationCount) bytes from the passcode.")
    }
  }
}
