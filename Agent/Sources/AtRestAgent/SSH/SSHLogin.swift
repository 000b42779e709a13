import AtRestCrypto
import Foundation

/// The message that a client has signed for a login (RFC 4252, section 7).
struct SSHLogin {
  let session: Data
  let user: String
  /// The key of the host, if the message names it.
  let host: Data?

  /// Reads a message.
  ///
  /// - Parameter key: The key for which the message has to be, as the protocol names it.
  /// - Throws: ``AtRestError/Code/damaged`` for any other message.
  init(_ message: Data, key: Data) throws {
    self = try message.withUnsafeBytes { bytes in
      var reader = SSHReader(bytes)
      let session = Data(try reader.string())
      let type = try reader.byte()
      let (user, service, method) = (try reader.text(), try reader.text(), try reader.text())
      let hasSignature = try reader.byte()
      _ = try reader.string()  // the algorithm
      let named = try reader.string()
      guard !session.isEmpty, type == 50, service == "ssh-connection", hasSignature == 1,
        named.elementsEqual(key)
      else { throw SSHReader.malformed }
      var host: Data?
      switch method {
      case "publickey": break
      case "publickey-hostbound-v00@openssh.com": host = Data(try reader.string())
      default: throw SSHReader.malformed
      }
      try reader.finish()
      return SSHLogin(session: session, user: user, host: host)
    }
  }

  private init(session: Data, user: String, host: Data?) {
    (self.session, self.user, self.host) = (session, user, host)
  }
}
