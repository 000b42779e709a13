@_spi(Tools) import AtRestCrypto
import CAtRestTPM

extension TPMConnection {
  /// Returns the connection's salted HMAC session, with the attributes that the next command needs.
  func session(_ attributes: TPMSessionAttributes) throws -> UInt32 {
    let handle: UInt32
    if let session {
      handle = session
    } else {
      handle = try startSession(
        TPMConstants.hmacSession, saltedWith: loadedPrimary().handle)
      session = handle
    }
    try setAttributes(attributes.union(.continues), of: handle)
    return handle
  }

  /// Starts a session with SHA-256 and AES-128-CFB. The caller flushes it.
  func startSession(_ type: UInt8, saltedWith key: UInt32) throws -> UInt32 {
    var symmetric = ByteWriter()
    symmetric.integer(TPMConstants.aes)
    symmetric.integer(UInt16(128))
    symmetric.integer(TPMConstants.cfb)
    let none = TPMConstants.libraryNone
    var session: atrest_tss_handle = none
    try tss.withStructures([.init(\.read_symmetric, symmetric.bytes)]) { inputs in
      try run("StartAuthSession") {
        functions.start_session(
          context, key, none, none, none, none, nil, type, inputs[0], TPMConstants.sha256,
          &session)
      }
    }
    return session
  }

  func setAttributes(_ attributes: TPMSessionAttributes, of session: UInt32) throws {
    try run("TRSess_SetAttributes") {
      functions.set_session_attributes(context, session, attributes.rawValue, 0xFF)
    }
  }
}
