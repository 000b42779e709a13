import AtRestCrypto
import AtRestKeychain
import Foundation

/// A credential in git's protocol: lines `key=value` up to an empty line.
package struct GitCredential {
  /// The values, without the password.
  package private(set) var values: [String: String] = [:]
  package private(set) var password: SecretBox?

  /// Reads a credential. Unknown keys are kept and ignored, as the protocol demands.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` for a line of another form.
  package init(_ text: borrowing SecretBytes) throws {
    try text.withUnsafeBytes { bytes in
      for line in bytes.split(separator: 10, omittingEmptySubsequences: false) {
        if line.isEmpty { return }
        guard let end = line.firstIndex(of: UInt8(ascii: "=")) else { throw Self.malformed }
        let name = String(decoding: line[..<end], as: UTF8.self)
        let value = UnsafeRawBufferPointer(rebasing: line[(end + 1)...])
        if name == "password" {
          password = SecretBox(SecretBytes(copying: value))
        } else if let text = String(validating: value, as: UTF8.self) {
          values[name] = text
        } else {
          throw Self.malformed
        }
      }
    }
  }

  /// Creates a request for a credential.
  package init(protocol networkProtocol: String, host: String, username: String?) {
    values = ["protocol": networkProtocol, "host": host]
    values["username"] = username
  }

  private static let malformed = AtRestError.invalid(
    "Standard input is not a credential in git's protocol.",
    remedy: "Let git call this command, or write lines key=value.")

  package var username: String? { values["username"] }

  /// The path, or nil if git asks for the whole host.
  package var path: String? { values["path"].flatMap { $0.isEmpty ? nil : $0 } }

  /// The network protocol, or nil if the keychain cannot name it.
  package var networkProtocol: Int? {
    values["protocol"].flatMap { NetworkProtocol(name: $0) }?.code
  }

  /// The host without its port.
  package var server: String { Self.split(values["host"] ?? "").server }

  package var port: Int? { Self.split(values["host"] ?? "").port }

  /// The time after which the password is useless, in seconds since 1970.
  package var expiry: Int64? { values["password_expiry_utc"].flatMap { Int64($0) } }

  /// Returns the server and the port of `host:port`.
  package static func split(_ host: String) -> (server: String, port: Int?) {
    guard let colon = host.lastIndex(of: ":"), let port = UInt16(host[host.index(after: colon)...]),
      // An address of IPv6 is in brackets.
      !host[..<colon].contains(":") || host[..<colon].hasSuffix("]")
    else { return (host, nil) }
    return (String(host[..<colon]), Int(port))
  }
}
